import { useId, useState } from 'react';
import type { FormEvent, KeyboardEvent, ReactElement } from 'react';
import type { DialogKind } from '../protocol.ts';
import type { PageDialogProps } from './index.ts';

/** Ids of texts. */
interface Wording {
  readonly title: string;
  /** Replaces the page's text: browsers no longer let pages set the text of every dialog. */
  readonly message?: string;
  readonly accept: string;
  readonly dismiss?: string;
}

const WORDING: Readonly<Record<DialogKind, Wording>> = {
  alert: { title: 'dialogs.says', accept: 'dialogs.ok' },
  confirm: { title: 'dialogs.asks', accept: 'dialogs.ok', dismiss: 'dialogs.cancel' },
  prompt: { title: 'dialogs.asks', accept: 'dialogs.ok', dismiss: 'dialogs.cancel' },
  beforeunload: {
    title: 'dialogs.leave-title',
    message: 'dialogs.leave-text',
    accept: 'dialogs.leave',
    dismiss: 'dialogs.stay',
  },
  unresponsive: {
    title: 'dialogs.hangs-title',
    message: 'dialogs.hangs-text',
    accept: 'dialogs.stop',
    dismiss: 'dialogs.wait',
  },
};

/** An alert, confirm, prompt or beforeunload dialog of the page, or the offer to stop it. */
export default function PageDialog({ request, texts, done }: PageDialogProps): ReactElement {
  const [text, setText] = useState(request.defaultText);
  const titleId = useId();
  const messageId = useId();
  const wording = WORDING[request.kind];
  const site = request.site || texts.text('dialogs.this-page');
  const accept = (event: FormEvent): void => {
    event.preventDefault();
    done({ accepted: true, text });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    done({ accepted: request.kind === 'alert', text: '' });
  };
  return (
    <form
      className="page-dialog"
      dir={texts.direction}
      lang={texts.language}
      role={request.kind === 'prompt' ? 'dialog' : 'alertdialog'}
      aria-modal="true"
      aria-labelledby={titleId}
      aria-describedby={messageId}
      autoComplete="off"
      onSubmit={accept}
      onKeyDown={onKeyDown}
    >
      <h2 id={titleId}>{texts.text(wording.title, { site })}</h2>
      <p id={messageId} dir="auto">
        {wording.message === undefined ? request.message : texts.text(wording.message)}
      </p>
      {request.kind === 'prompt' && (
        <input
          type="text"
          aria-labelledby={messageId}
          value={text}
          autoComplete="off"
          autoFocus
          onFocus={(event) => {
            event.target.select();
          }}
          onChange={({ target }) => {
            // A text that the browser fills in by itself is not for the page that asks: the field shows the one before it again.
            if (!target.matches(':autofill')) setText(target.value);
          }}
        />
      )}
      <div className="actions">
        {wording.dismiss !== undefined && (
          <button
            type="button"
            onClick={() => {
              done({ accepted: false, text: '' });
            }}
          >
            {texts.text(wording.dismiss)}
          </button>
        )}
        <button type="submit" className="primary" autoFocus={request.kind !== 'prompt'}>
          {texts.text(wording.accept)}
        </button>
      </div>
    </form>
  );
}
