import { parseArgs } from 'node:util';
import { AppError } from '../../../host/plugin.ts';
import type { Verbs } from '../../../host/plugin.ts';

/** A cell of the table. */
const cell = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\t', ' ') : '');

function siteOf(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { site: { type: 'string' } } }).values.site;
  } catch (cause) {
    throw new AppError('bad-option', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** `vitrine permissions decisions`: what people have decided about requests of pages. */
export const verbs: Verbs = {
  decisions: {
    usage: '[--site TEXT]',
    about: 'lists what people have decided about permissions; --site: only sites whose name contains the text',
    async run({ args, print, events }) {
      const site = siteOf(args);
      for await (const { at, person, event } of events('decisions')) {
        if (site !== undefined && !String(event['site']).includes(site)) continue;
        const { site: origin, permission, decision } = event;
        print([at, person, origin, permission, decision].map(cell).join('\t'));
      }
    },
  },
};
