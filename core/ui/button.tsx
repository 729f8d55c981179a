import type { ReactElement, ReactNode, Ref } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { keyHint } from './key-hint.ts';

/** `primary` is what most people want, one at most; `danger` loses or allows something for good. */
export type ButtonKind = 'plain' | 'primary' | 'danger';

interface ButtonProps {
  readonly children: ReactNode;
  readonly kind?: ButtonKind | undefined;
  readonly icon?: IconName | undefined;
  /** Submits the form that it is in. It needs no `onPress` then. */
  readonly submits?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** Has the focus when it appears. */
  readonly autoFocus?: boolean | undefined;
  readonly onPress?: (() => void) | undefined;
}

/** A button with a label. */
export function Button({ children, kind, icon, submits, disabled, autoFocus, onPress }: ButtonProps): ReactElement {
  return (
    <button
      type={submits === true ? 'submit' : 'button'}
      className="vitrine-button"
      data-kind={kind ?? 'plain'}
      disabled={disabled}
      autoFocus={autoFocus}
      onClick={onPress}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  /** Its name: read out, and shown when the pointer rests on it. */
  readonly label: string;
  /** Of a switch: whether it is on. */
  readonly pressed?: boolean | undefined;
  /** The key that does the same, as in `aria-keyshortcuts`: `Control+Shift+F`. */
  readonly keys?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly onPress: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with an icon alone. A disabled one keeps its focus, as it may only be so for a moment. */
export function IconButton({ icon, label, pressed, keys, disabled, onPress, ref }: IconButtonProps): ReactElement {
  return (
    <button
      ref={ref}
      type="button"
      className="vitrine-icon-button"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keyHint(keys)})`}
      aria-pressed={pressed}
      aria-keyshortcuts={keys}
      aria-disabled={disabled}
      onClick={() => {
        if (disabled !== true) onPress();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
