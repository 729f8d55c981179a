import { useState } from 'react';
import type { ReactElement } from 'react';
import { Question, TextField } from '../../../core/ui.ts';
import type { PageDialogProps } from './index.ts';
import { WORDING } from './wording.ts';

/** Part of the page's text that names the field of a prompt for screen readers, in UTF-16 units; the dialog is described by all of it. */
const LABEL_LENGTH = 200;

/** An alert, confirm, prompt or beforeunload dialog of the page, or the offer to stop it. */
export default function PageDialog({ request, texts, done }: PageDialogProps): ReactElement {
  const [text, setText] = useState(request.defaultText);
  const wording = WORDING[request.kind];
  const title = texts.text(wording.title, { site: request.site || texts.text('dialogs.no-address') });
  const isPrompt = request.kind === 'prompt';
  const dismissed = { accepted: false, text: '' };
  return (
    <Question
      title={title}
      text={wording.message === undefined ? undefined : texts.text(wording.message)}
      quote={wording.message === undefined ? request.message : undefined}
      answers={[
        ...(wording.dismiss === undefined ? [] : [{ label: texts.text(wording.dismiss), value: dismissed }]),
        {
          label: texts.text(wording.accept),
          kind: wording.isDanger ? 'danger' : 'primary',
          value: () => ({ accepted: true, text }),
          isDefault: !isPrompt,
        },
      ]}
      dismissed={request.kind === 'alert' ? { accepted: true, text: '' } : dismissed}
      done={done}
    >
      {isPrompt && (
        <TextField
          label={request.message.slice(0, LABEL_LENGTH) || title}
          hidesLabel
          value={text}
          onChange={setText}
          autoFocus
          selects
        />
      )}
    </Question>
  );
}
