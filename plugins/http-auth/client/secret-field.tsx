import { useState } from 'react';
import type { ChangeEvent, CompositionEvent, ReactElement } from 'react';

const BULLET = '\u2022';

/**
 * A field for a password that the person's browser takes for none, so that it neither fills it nor offers to keep what is typed: a text field
 * that only ever shows bullets. The characters are in this component's state.
 */
export function SecretField({ label, onChange }: { label: string; onChange: (secret: string) => void }): ReactElement {
  const [secret, setSecret] = useState('');
  const take = (field: HTMLInputElement): void => {
    // What a browser or an extension fills in by itself is not for the site that asks.
    if (field.matches(':autofill')) return;
    const next = edited(secret, field.value, field.selectionStart ?? field.value.length);
    setSecret(next);
    onChange(next);
  };
  return (
    <input
      type="text"
      aria-label={label}
      aria-roledescription={label}
      value={BULLET.repeat(secret.length)}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      data-1p-ignore=""
      data-lpignore="true"
      data-bwignore=""
      data-form-type="other"
      onCopy={(event) => event.preventDefault()}
      onCut={(event) => event.preventDefault()}
      onChange={(event: ChangeEvent<HTMLInputElement>) => take(event.target)}
      onCompositionEnd={(event: CompositionEvent<HTMLInputElement>) => take(event.currentTarget)}
    />
  );
}

/** The secret after an edit of the field that shows it as bullets. `caret`: its place in the edited field. */
export function edited(secret: string, shown: string, caret: number): string {
  const first = shown.search(/[^\u2022]/);
  if (first < 0) {
    // Something was taken out before the caret, or nothing.
    const behind = shown.length - caret;
    return secret.slice(0, caret) + secret.slice(Math.max(caret, secret.length - behind));
  }
  const typed = shown.slice(first, caret).replaceAll(BULLET, '');
  const behind = shown.length - Math.max(caret, first + typed.length);
  return secret.slice(0, first) + typed + secret.slice(Math.max(first, secret.length - behind));
}
