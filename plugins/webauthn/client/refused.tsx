import type { ReactElement } from 'react';
import type { RefusedProps } from './index.ts';

/** Shows why a passkey of the person cannot be used here. */
export default function Refused({ site, texts, done }: RefusedProps): ReactElement {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done(true);
      }}
    >
      <h2>{texts.text('webauthn.title', { site })}</h2>
      <p data-dialog-text>{texts.text('webauthn.text')}</p>
      <div className="actions">
        <button type="submit" className="primary" autoFocus>
          {texts.text('webauthn.ok')}
        </button>
      </div>
    </form>
  );
}
