import type { ReactElement } from 'react';

interface ProgressProps {
  /** Name for screen readers: what goes on. */
  readonly label: string;
  /** From 0 to 1; without it, nobody knows how much is left. */
  readonly value?: number | undefined;
}

/** How far something is. */
export function Progress({ label, value }: ProgressProps): ReactElement {
  const percent = value === undefined ? undefined : Math.round(100 * Math.min(Math.max(value, 0), 1));
  return (
    <div
      className="vitrine-progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={percent === undefined ? undefined : { inlineSize: `${percent}%` }} />
    </div>
  );
}
