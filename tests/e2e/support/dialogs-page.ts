/** A page whose button opens all kinds of dialogs, and writes down the answers. */
export const DIALOGS_PAGE = `<!doctype html><output></output><button onclick="setTimeout(() => {
  alert('Read <b>this</b>'); const ok = confirm('Sure?'); const no = confirm('Really?'); const name = prompt('Name?', 'Ada');
  document.querySelector('output').textContent = JSON.stringify([ok, no, name, prompt('Empty?')]);
})">ask</button>`;
