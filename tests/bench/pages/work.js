// Shared code of the pages of the measures: a clock, a stamp, and commands from the server.
'use strict';

// Date.now() is shared by all browsers of this machine; performance.now() is finer. Sets one by a tick of the other.
const start = Date.now();
let anchor = start;
while (anchor === start) anchor = Date.now();
const base = performance.now();
const clock = () => anchor + performance.now() - base;

const stamp = document.getElementById('stamp');
let serial = 0;
const mark = (kind, time) => {
  stamp.firstChild.data = `${kind} ${++serial} ${time}`;
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

const listen = async (commands) => {
  document.documentElement.dataset.ready = '1';
  for (;;) {
    const response = await fetch('/next' + location.search, { cache: 'no-store' });
    const [name, argument] = (await response.text()).split(' ');
    await commands[name](Number(argument));
  }
};
