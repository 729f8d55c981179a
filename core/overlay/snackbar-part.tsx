import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { SnackbarProps } from './snackbar.ts';

/** A short text at the bottom, also announced by screen readers. */
export default function SnackbarPart({ text, onShown }: SnackbarProps): ReactNode {
  useEffect(onShown, [onShown]);
  return (
    <div className="vitrine-snackbar" role="alert">
      {text}
    </div>
  );
}
