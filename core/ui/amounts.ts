const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A size with a unit of base 1024 and one decimal, as the language writes numbers (M-104). */
export function fileSize(bytes: number, language: string): string {
  let [size, unit] = [bytes, 0];
  // 1023.95 would be written as 1024.0.
  for (; size >= 1023.95 && unit < UNITS.length - 1; unit += 1) size /= 1024;
  const digits = unit === 0 ? 0 : 1;
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(size)} ${UNITS[unit] ?? ''}`;
}

/** A time in its largest unit up to hours, rounded up, as the language writes it. `seconds`: more than 0. */
export function duration(seconds: number, language: string): string {
  const [unit, length] = seconds > HOUR ? ['hour', HOUR] : seconds > MINUTE ? ['minute', MINUTE] : ['second', 1];
  const number = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' });
  return number.format(Math.ceil(seconds / length));
}
