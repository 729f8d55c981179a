import type { Settings } from './settings.ts';

/** What is laid over a page for this person: `{time}` is still in it. Empty where there is nothing. */
export function watermarkOf({ watermark }: Pick<Settings, 'watermark'>, person: string): string {
  return (watermark.text ?? '').replaceAll('{user}', () => person);
}
