import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { validate } from '../../core/protocol/message.ts';
import type { Link } from '../link.ts';
import { id } from './channel-query.ts';

const MAX_ADDRESS = 65_536;

const printQuery = v.looseObject({
  cid: id,
  rid: id,
  tab_id: id,
  mpa_id: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
  page_url: v.pipe(v.string(), v.maxLength(MAX_ADDRESS)),
  cl: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
});

/** GET /r/print: a PDF of the page that a tab of this person's shows. */
export function printRoutes(app: FastifyInstance, link: Link): void {
  app.get('/r/print', async (request, reply) => {
    const {
      cid,
      rid,
      tab_id: tabId,
      mpa_id: _mpa,
      page_url: _url,
      cl: _cl,
      ...options
    } = validate(printQuery, request.query, 'print');
    const pdf = await link.print(request.person, { cid, rid, tabId }, options);
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': 'inline; filename="page.pdf"',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
      .type('application/pdf')
      .send(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
  });
}
