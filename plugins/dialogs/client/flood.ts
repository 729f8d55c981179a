import { question, slot, textsToken } from '../../../core/index.ts';
import type { ClientScope, QuestionProps, Texts } from '../../../core/index.ts';
import { dialogFlood, dialogFloodOver, dialogsSilence } from '../protocol.ts';
import { isShellHidden } from './shell-hidden.ts';

const floodSlot = slot<QuestionProps>('dialogs.flood', 'dialog');

/** Asks whether a site that shows one dialog after the other may go on; the texts have been loaded. */
export function handleFlood({ commands, services, slots, onDispose }: ClientScope): void {
  const texts = services.get(textsToken);
  let closing = new AbortController();
  commands.handle(dialogFlood, async ({ id, site }) => {
    closing.abort();
    const { signal } = (closing = new AbortController());
    const words = {
      title: texts.text('dialogs.flood-title', { site: site || texts.text('dialogs.no-address') }),
      text: texts.text('dialogs.flood-text'),
      no: texts.text('dialogs.flood-stop'),
      yes: texts.text('dialogs.flood-go-on'),
    };
    const goesOn = isShellHidden()
      ? await askHidden(`${words.title}\n\n${words.text}`, texts, signal)
      : await slots.ask(floodSlot, question, words, signal);
    if (!isAborted(signal)) commands.send(dialogsSilence, { id, silenced: goesOn !== true });
  });
  commands.handle(dialogFloodOver, () => closing.abort());
  onDispose(() => closing.abort());
}

async function askHidden(words: string, texts: Texts, { aborted }: AbortSignal): Promise<boolean> {
  const { choose } = await import('./native.ts');
  return !aborted && choose(words, texts, { accept: 'dialogs.flood-go-on', dismiss: 'dialogs.flood-stop' });
}

/** The compiler cannot know that this may change during an await. */
function isAborted({ aborted }: AbortSignal): boolean {
  return aborted;
}
