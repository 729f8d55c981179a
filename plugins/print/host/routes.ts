import * as v from 'valibot';
import { AppError, validate } from '../../../host/plugin.ts';
import type { RouteErrors, Routes } from '../../../host/plugin.ts';
import { pagePrinterToken, printTurnToken } from './page-printer.ts';

const MAX_ADDRESS = 65_536;
const id = v.pipe(v.string(), v.maxLength(200));
const printQuery = v.looseObject({
  cid: id,
  rid: id,
  tab_id: id,
  mpa_id: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
  page_url: v.pipe(v.string(), v.maxLength(MAX_ADDRESS)),
  cl: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
});

/** HTTP statuses of the errors of this route. */
export const errors: RouteErrors = { 'print-busy': 409, 'print-failed': 502, 'page-left': 410 };

/** GET /r/print: a PDF of the page in one of this person's tabs. */
export const routes: Routes = {
  'GET /r/print': async ({ query }, { services, tab }) => {
    const {
      cid,
      rid,
      tab_id: tabId,
      mpa_id: _mpa,
      page_url: _url,
      cl: _cl,
      ...options
    } = validate(printQuery, query, 'print');
    const printer = tab({ cid, rid, tabId }).service(pagePrinterToken);
    if (!printer) throw new AppError('policy-refused', 'The policy does not allow to print.');
    const giveBack = services.get(printTurnToken).take();
    try {
      return { type: 'application/pdf', filename: 'page.pdf', body: await printer.print(options) };
    } finally {
      giveBack();
    }
  },
};
