import type { ReactNode } from 'react';
import { Button } from '../../../core/ui.ts';
import type { LoginBarProps } from './sign-in.ts';

/** Shows that the person is not authenticated at the service, with a button for the next step (S-031). */
export default function LoginBar({ message, action, onAction }: LoginBarProps): ReactNode {
  return (
    <div className="vitrine-banner" role="alert">
      {message}
      <Button onPress={onAction}>{action}</Button>
    </div>
  );
}
