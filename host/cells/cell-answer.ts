import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { pairAnswerSchema } from '../../core/protocol/pairing.ts';
import type { PairAnswer } from '../../core/protocol/pairing.ts';
import { PLUGIN_BASE } from '../build/base.ts';

/**
 * Fields that a cell decides. The others are the gateway's: those that lead the person's browser elsewhere, or out of isolation, must
 * not come from a cell, which may be compromised.
 */
const FROM_CELL = [
  'version',
  'safe_rid',
  'cid',
  'rid',
  'tab_id',
  'cluster_id',
  'plugins',
  'client_caps',
  'site_caps',
  'customization',
  'banner_hidden',
  'reload_allowed',
  'error',
  'error_page',
] as const satisfies readonly (keyof PairAnswer)[];
/** Address of a client half below {@link PLUGIN_BASE}: folder of the plugin, and file. */
const MODULE = /^[\w-]+\/index-\w+\.js$/;

/** The answer of a cell to a pair request, without what it may not say. @throws AppError `bad-message` */
export function cellAnswer(value: unknown, name: string): PairAnswer {
  const answer = validate(pairAnswerSchema, value, name);
  for (const { module } of answer.plugins ?? [])
    if (module !== undefined && !(module.startsWith(PLUGIN_BASE) && MODULE.test(module.slice(PLUGIN_BASE.length))))
      throw new AppError('bad-message', `${name}: a plugin from elsewhere`);
  return Object.fromEntries(Object.entries(answer).filter(([field]) => FROM_CELL.some((own) => own === field)));
}
