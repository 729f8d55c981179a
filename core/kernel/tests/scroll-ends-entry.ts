import { ScrollEnds } from '../scroll-ends.ts';

declare global {
  interface Window {
    scrollEnds: ScrollEnds;
    /** Events of the browser, and what a page hears. */
    ended: { browser: number; page: boolean[] };
  }
}

window.ended = { browser: 0, page: [] };
addEventListener('scrollend', ({ isTrusted }) => void (window.ended.browser += Number(isTrusted)), true);
window.scrollEnds = new ScrollEnds();
document.addEventListener('scrollend', ({ isTrusted }) => void window.ended.page.push(isTrusted));
document.body.style.height = '9000px';
