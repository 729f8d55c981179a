import { useId, useState } from 'react';
import type { ChangeEvent, ReactElement, ReactNode, SyntheticEvent } from 'react';
import { IconButton } from './button.tsx';

interface FieldProps {
  readonly label: string;
  /** A line below the field. */
  readonly hint?: string | undefined;
  /** Fault of the value; announced, and in place of the hint. */
  readonly problem?: string | undefined;
  /** Has the focus when the dialog opens. */
  readonly autoFocus?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Its keyboard on a phone. Default `text`. */
  readonly kind?: 'text' | 'email' | 'url' | 'numeric' | 'search' | undefined;
  readonly placeholder?: string | undefined;
  /** In UTF-16 units. */
  readonly maxLength?: number | undefined;
  readonly required?: boolean | undefined;
  /** Selects all of it when it gets the focus. */
  readonly selects?: boolean | undefined;
  /** The name stands beside the field for those who see it already: kept for screen readers alone. */
  readonly hidesLabel?: boolean | undefined;
}

/** The attributes that tie a control to what is said about it. */
function useDescribed({ hint, problem }: Pick<FieldProps, 'hint' | 'problem'>): {
  readonly id: string;
  readonly control: { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: boolean };
  readonly about: ReactNode;
} {
  const id = useId();
  const text = problem ?? hint;
  if (text === undefined) return { id, control: { id }, about: null };
  const control = { id, 'aria-describedby': `${id}about`, ...(problem !== undefined && { 'aria-invalid': true }) };
  const about = (
    <p id={`${id}about`} className="vitrine-about" role={problem === undefined ? undefined : 'alert'}>
      {text}
    </p>
  );
  return { id, control, about };
}

/** Keeps password managers and the browser's own lists away: what is typed here goes to a site that they do not know. */
const UNFILLED = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': 'true',
  'data-bwignore': true,
  'data-form-type': 'other',
} as const;

/** A text that the browser has filled in by itself is not the person's answer: the field shows the one before it again. */
const typed =
  (onChange: (value: string) => void) =>
  ({ target }: ChangeEvent<HTMLInputElement>): void => {
    if (!target.matches(':autofill')) onChange(target.value);
  };

/** A field for one line of text. The person's browser fills in nothing. */
export function TextField({ label, hidesLabel, kind, selects, onChange, ...rest }: TextFieldProps): ReactElement {
  const { hint, problem, ...input } = rest;
  const { id, control, about } = useDescribed({ hint, problem });
  return (
    <div className="vitrine-field">
      <label htmlFor={id} className={hidesLabel === true ? 'vitrine-unseen' : undefined}>
        {label}
      </label>
      <input
        {...UNFILLED}
        {...input}
        {...control}
        type="text"
        inputMode={kind}
        dir="auto"
        onFocus={({ target }) => {
          if (selects === true) target.select();
        }}
        onChange={typed(onChange)}
      />
      {about}
    </div>
  );
}

interface PasswordFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Names of the button that shows what is typed. */
  readonly showLabel: string;
  readonly maxLength?: number | undefined;
  readonly required?: boolean | undefined;
}

const hasBullets = (): boolean => CSS.supports('-webkit-text-security', 'disc');

/**
 * A field for a password of the site: shown as bullets, and neither filled in nor offered to be kept by the person's browser, for which a
 * field of the type `password` would be one of ours. It has a button that shows what is typed.
 */
export function PasswordField({ label, showLabel, onChange, ...rest }: PasswordFieldProps): ReactElement {
  const { hint, problem, ...input } = rest;
  const { id, control, about } = useDescribed({ hint, problem });
  const [isShown, setShown] = useState(false);
  const keep = (event: SyntheticEvent): void => {
    if (!isShown) event.preventDefault(); // as in fields of the type `password`
  };
  return (
    <div className="vitrine-field">
      <label htmlFor={id}>{label}</label>
      <div className="vitrine-with-button" dir="ltr">
        <input
          {...UNFILLED}
          {...input}
          {...control}
          type={isShown || hasBullets() ? 'text' : 'password'}
          className={isShown ? undefined : 'vitrine-bullets'}
          onCopy={keep}
          onCut={keep}
          onDragStart={keep}
          onChange={typed(onChange)}
        />
        <IconButton
          icon="eye"
          label={showLabel}
          pressed={isShown}
          onPress={() => {
            setShown(!isShown);
          }}
        />
      </div>
      {about}
    </div>
  );
}

interface NumberFieldProps extends FieldProps {
  /** NaN while the field holds no number. */
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly min: number;
  readonly max: number;
}

/** A field for a whole number. */
export function NumberField({ label, value, onChange, hint, problem, ...rest }: NumberFieldProps): ReactElement {
  const { id, control, about } = useDescribed({ hint, problem });
  return (
    <div className="vitrine-field">
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        {...control}
        type="number"
        required
        step={1}
        value={Number.isNaN(value) ? '' : value}
        onChange={({ target }) => {
          onChange(target.valueAsNumber);
        }}
      />
      {about}
    </div>
  );
}

interface CheckFieldProps extends FieldProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox with its label. */
export function CheckField({ label, checked, onChange, hint, problem, ...rest }: CheckFieldProps): ReactElement {
  const { id, control, about } = useDescribed({ hint, problem });
  return (
    <div className="vitrine-field vitrine-check">
      <input
        {...rest}
        {...control}
        type="checkbox"
        checked={checked}
        onChange={({ target }) => {
          onChange(target.checked);
        }}
      />
      <label htmlFor={id}>{label}</label>
      {about}
    </div>
  );
}

interface SelectFieldProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

/** A choice of one of a few. It is the browser's own list: it works by touch, keyboard and screen reader, and outside of our frame. */
export function SelectField<V extends string>(props: SelectFieldProps<V>): ReactElement {
  const { label, value, options, onChange, hint, problem, ...rest } = props;
  const { id, control, about } = useDescribed({ hint, problem });
  return (
    <div className="vitrine-field">
      <label htmlFor={id}>{label}</label>
      <select
        {...rest}
        {...control}
        value={value}
        onChange={({ target }) => {
          const chosen = options[target.selectedIndex];
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {about}
    </div>
  );
}
