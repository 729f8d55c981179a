import type { ReactNode } from 'react';
import type { LoginBarProps } from './index.ts';

/** Says that the person is not known at the service, with a button that does something about it (S-031). */
export default function LoginBar({ message, action, onAction }: LoginBarProps): ReactNode {
  return (
    <div className="vitrine-banner" role="alert">
      {message}
      <button type="button" onClick={onAction}>
        {action}
      </button>
    </div>
  );
}
