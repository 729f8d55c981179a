import { Component } from 'react';
import type { ReactNode } from 'react';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';

/** Renders nothing in place of a contribution that fails, and reports the fault. */
export class Fault extends Component<{ readonly onFault: (fault: AppError) => void; readonly children: ReactNode }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(thrown: unknown): void {
    this.props.onFault(toAppError(thrown));
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
