import { AppError } from '../../../../host/plugin.ts';
import type { FileFacts } from './contract.ts';

/** Size of the facts about a file, as JSON. They are kept in memory. */
const MAX_FACTS_BYTES = 16 * 1024;
/** Facts that a file is found by, or that say what it is: they stay. */
const FIXED = ['person', 'session', 'direction'] as const;

/** A copy of facts that nobody else can change. @throws AppError `bad-facts` where they are too many, or no JSON */
export function copyFacts(facts: FileFacts): FileFacts {
  let json: string;
  try {
    json = JSON.stringify(facts);
  } catch (cause) {
    throw new AppError('bad-facts', 'The facts are no JSON.', { cause });
  }
  if (Buffer.byteLength(json) > MAX_FACTS_BYTES)
    throw new AppError('bad-facts', `The facts have more than ${MAX_FACTS_BYTES} bytes.`);
  return Object.freeze(JSON.parse(json) as FileFacts); // the form of what was given
}

/** Facts with some of them replaced. @throws AppError `bad-facts` as {@link copyFacts}, or where a fixed one changes */
export function withFacts(facts: FileFacts, changes: Partial<FileFacts>): FileFacts {
  const changed = copyFacts({ ...facts, ...changes });
  for (const name of FIXED)
    if (changed[name] !== facts[name]) throw new AppError('bad-facts', `"${name}" of a file does not change.`);
  return changed;
}
