import { useState } from 'react';
import type { ReactElement } from 'react';
import type { ChallengeProps } from './index.ts';
import { SecretField } from './secret-field.tsx';

/** Who asks, in whose words, and the two fields. */
export default function ChallengeDialog({ challenge, texts, done }: ChallengeProps): ReactElement {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { origin, realm, isSecure, isAgain, isOther } = challenge;
  const say = (id: string): string => texts.text(`http-auth.${id}`);
  return (
    <form
      className="http-auth"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        done({ username, password });
      }}
    >
      <h2>{say('title')}</h2>
      <div data-dialog-text>
        <p>
          {say('asks')}{' '}
          <bdi className="origin" dir="ltr">
            {origin}
          </bdi>
        </p>
        {realm !== '' && (
          <p>
            {say('words')} <q dir="auto">{realm}</q>
          </p>
        )}
        {isOther && <p>{say('other')}</p>}
        {isAgain && <p role="alert">{say('again')}</p>}
        {!isSecure && <p className="warning">{say('insecure')}</p>}
      </div>
      <label>
        <span>{say('username')}</span>
        <input
          type="text"
          data-autofocus
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
          value={username}
          onChange={({ target }) => {
            if (!target.matches(':autofill')) setUsername(target.value);
          }}
        />
      </label>
      <label>
        <span>{say('password')}</span>
        <SecretField label={say('password')} onChange={setPassword} />
      </label>
      <div className="actions">
        <button type="button" onClick={() => done(undefined as never)}>
          {say('cancel')}
        </button>
        <button type="submit" className="primary">
          {say('sign-in')}
        </button>
      </div>
    </form>
  );
}
