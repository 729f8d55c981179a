import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { validate } from '../../core/protocol/message.ts';
import { AppError } from '../../core/protocol/errors.ts';
import type { Link } from '../link.ts';
import { id } from './channel-query.ts';

const MAX_ADDRESS = 65_536;
/** PDFs that may be made, or be on their way to people, at once: each may be of 64 MB. A person has one. */
const MAX_AT_ONCE = 4;

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
  const busy = new Set<string>();
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
    const { subject } = request.person;
    if (busy.has(subject) || busy.size >= MAX_AT_ONCE)
      throw new AppError('print-busy', 'Something is being printed.', { retryable: true });
    busy.add(subject);
    reply.raw.once('close', () => busy.delete(subject));
    const pdf = await link.print(request.person, { cid, rid, tabId }, options);
    return reply
      .headers({
        'cache-control': 'no-store',
        // As a document of its own it would be in a viewer whose links lead to the site.
        'content-disposition': 'attachment; filename="page.pdf"',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
      .type('application/pdf')
      .send(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
  });
}
