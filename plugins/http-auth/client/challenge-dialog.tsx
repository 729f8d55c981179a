import { useState } from 'react';
import type { ReactElement } from 'react';
import { Notice, PasswordField, Question, TextField } from '../../../core/ui.ts';
import { MAX_CREDENTIAL } from '../protocol.ts';
import type { ChallengeProps } from './index.ts';

/** Keeps an address in one piece and in its own direction within other words. */
const isolated = (address: string): string => `\u2066${address}\u2069`;

/** Who asks, in whose words, and the two fields. */
export default function ChallengeDialog({ challenge, texts, done }: ChallengeProps): ReactElement {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { origin, realm, isSecure, isAgain, isOther } = challenge;
  const say = (id: string): string => texts.text(`http-auth.${id}`);
  return (
    <Question
      title={say('title')}
      text={texts.text('http-auth.asks', { origin: isolated(origin) })}
      quote={realm === '' ? undefined : realm}
      answers={[
        { label: say('cancel'), value: null },
        { label: say('sign-in'), kind: 'primary', value: () => ({ username, password }) },
      ]}
      dismissed={null}
      done={done}
    >
      {isOther && <Notice>{say('other')}</Notice>}
      {!isSecure && <Notice kind="warning">{say('insecure')}</Notice>}
      <TextField
        label={say('username')}
        value={username}
        onChange={setUsername}
        maxLength={MAX_CREDENTIAL}
        problem={isAgain ? say('again') : undefined}
        autoFocus
      />
      <PasswordField
        label={say('password')}
        showLabel={say('show')}
        value={password}
        onChange={setPassword}
        maxLength={MAX_CREDENTIAL}
      />
    </Question>
  );
}
