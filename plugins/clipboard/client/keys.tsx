import type { ReactElement } from 'react';
import type { KeysProps } from './keys-dialog.ts';

const SHORTCUTS = [
  ['clipboard.copy', 'C'],
  ['clipboard.cut', 'X'],
  ['clipboard.paste', 'V'],
] as const;

/** By which keys to copy, cut and paste, as the person's keyboard names them. */
export default function Keys({ texts, isMac, done }: KeysProps): ReactElement {
  return (
    <div className="clipboard-keys" dir={texts.direction} lang={texts.language}>
      <h2>{texts.text('clipboard.keys-title')}</h2>
      <p data-dialog-text>{texts.text('clipboard.keys-text')}</p>
      <dl>
        {SHORTCUTS.map(([name, letter]) => (
          <div key={name}>
            <dt>{texts.text(name)}</dt>
            <dd dir="ltr">
              <kbd>{isMac ? `⌘${letter}` : `${texts.text('clipboard.ctrl')}+${letter}`}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <button type="button" data-autofocus autoFocus onClick={() => done()}>
        {texts.text('clipboard.ok')}
      </button>
    </div>
  );
}
