/** The stricter check of addresses: https and data only (S-082). */
export function isStrictAddress(address: string): boolean {
  return /^(?:https|data):$/.test(URL.parse(address.trim())?.protocol ?? '');
}
