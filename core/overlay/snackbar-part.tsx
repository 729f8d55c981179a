import type { ReactNode } from 'react';
import type { SnackbarProps } from './snackbar.ts';

/** A short text at the bottom, also announced by screen readers. */
export default function SnackbarPart({ text }: SnackbarProps): ReactNode {
  return (
    <div className="vitrine-snackbar" role="alert">
      {text}
    </div>
  );
}
