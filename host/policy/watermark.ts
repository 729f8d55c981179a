import type { Settings } from './settings.ts';

/** What is laid over a page for this person: `{time}` is still in it, where policy has it. Empty where there is nothing. */
export function watermarkOf({ watermark }: Pick<Settings, 'watermark'>, person: string): string {
  const shown = person.replaceAll('{time}', '{\u2060time}'); // looks the same, and stands for nothing
  return (watermark.text ?? '').replaceAll('{user}', () => shown);
}
