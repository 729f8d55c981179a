import type { ReactElement } from 'react';
import { Question } from '../../../core/ui.ts';
import type { KeysProps } from './keys-dialog.ts';

const SHORTCUTS = [
  ['clipboard.copy', 'C'],
  ['clipboard.cut', 'X'],
  ['clipboard.paste', 'V'],
] as const;

/** By which keys to copy, cut and paste, as the person's keyboard names them. */
export default function Keys({ texts, isMac, done }: KeysProps): ReactElement {
  return (
    <Question
      title={texts.text('clipboard.keys-title')}
      text={texts.text('clipboard.keys-text')}
      answers={[{ label: texts.text('clipboard.ok'), value: true, kind: 'primary', isDefault: true }]}
      done={() => done()}
    >
      <dl className="clipboard-keys">
        {SHORTCUTS.map(([name, letter]) => (
          <div key={name}>
            <dt>{texts.text(name)}</dt>
            <dd dir="ltr">
              <kbd>{isMac ? `⌘${letter}` : `${texts.text('clipboard.ctrl')}+${letter}`}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Question>
  );
}
