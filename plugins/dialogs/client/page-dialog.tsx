import { useId, useState } from 'react';
import type { FormEvent, KeyboardEvent, ReactElement } from 'react';
import type { DialogKind } from '../protocol.ts';
import type { PageDialogProps } from './index.ts';

interface Wording {
  readonly title: (site: string) => string;
  readonly accept: string;
  readonly dismiss?: string;
}

const WORDING: Readonly<Record<DialogKind, Wording>> = {
  alert: { title: (site) => `${site} says`, accept: 'OK' },
  confirm: { title: (site) => `${site} asks`, accept: 'OK', dismiss: 'Cancel' },
  prompt: { title: (site) => `${site} asks`, accept: 'OK', dismiss: 'Cancel' },
  beforeunload: { title: () => 'Leave this page?', accept: 'Leave', dismiss: 'Stay' },
};

/** Browsers no longer let pages choose this text. */
const LEAVE_TEXT = 'Changes that you have made may not be saved.';

/** An alert, confirm, prompt or leave question of the page. */
export default function PageDialog({ request, done }: PageDialogProps): ReactElement {
  const [text, setText] = useState(request.defaultText);
  const titleId = useId();
  const messageId = useId();
  const wording = WORDING[request.kind];
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
      role={request.kind === 'prompt' ? 'dialog' : 'alertdialog'}
      aria-modal="true"
      aria-labelledby={titleId}
      aria-describedby={messageId}
      onSubmit={accept}
      onKeyDown={onKeyDown}
    >
      <h2 id={titleId}>{wording.title(request.site || 'This page')}</h2>
      <p id={messageId}>{request.kind === 'beforeunload' ? LEAVE_TEXT : request.message}</p>
      {request.kind === 'prompt' && (
        <input
          type="text"
          aria-labelledby={messageId}
          value={text}
          autoFocus
          onFocus={(event) => {
            event.target.select();
          }}
          onChange={(event) => {
            setText(event.target.value);
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
            {wording.dismiss}
          </button>
        )}
        <button type="submit" className="primary" autoFocus={request.kind !== 'prompt'}>
          {wording.accept}
        </button>
      </div>
    </form>
  );
}
