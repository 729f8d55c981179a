import { useState } from 'react';
import type { ReactElement } from 'react';
import type { DialogProps, Texts } from '../../../core/index.ts';
import { PasswordField, Question } from '../../../core/ui.ts';
import { MAX_PASSWORD } from '../protocol.ts';

export interface PasswordProps extends DialogProps<string | null> {
  readonly filename: string;
  /** The last one was wrong. */
  readonly isAgain: boolean;
  readonly texts: Texts;
}

/** Asks for the password of an encrypted file, so that it can be scanned (M-007). */
export default function Password({ filename, isAgain, texts, done }: PasswordProps): ReactElement {
  const [value, setValue] = useState('');
  const say = (id: string): string => texts.text(`uploads.${id}`, { name: filename });
  return (
    <Question
      title={say('password-title')}
      text={say('password-text')}
      answers={[
        { label: say('password-cancel'), value: null },
        { label: say('password-scan'), kind: 'primary', value: () => value },
      ]}
      dismissed={null}
      done={done}
    >
      <PasswordField
        label={say('password')}
        showLabel={say('show')}
        value={value}
        onChange={setValue}
        maxLength={MAX_PASSWORD}
        problem={isAgain ? say('password-wrong') : undefined}
        autoFocus
      />
    </Question>
  );
}
