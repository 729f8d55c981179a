/** Entry of the portal: fills in the recently opened pages. Everything else in it works without script. */
import { forgetPages, recentPages } from './portal/recent-pages.ts';

const section = document.getElementById('recent');
const list = section?.querySelector('ul');
const pages = recentPages(localStorage);

if (section && list && pages.length > 0) {
  for (const { url, title } of pages) {
    const link = document.createElement('a');
    link.href = `/${url}`;
    link.textContent = title || url;
    const site = document.createElement('span');
    site.textContent = new URL(url).host;
    const item = document.createElement('li');
    item.append(link, ' ', site);
    list.append(item);
  }
  section.hidden = false;
  document.getElementById('forget')?.addEventListener('click', () => {
    forgetPages(localStorage);
    section.hidden = true;
    document.getElementById('address')?.focus();
  });
}
