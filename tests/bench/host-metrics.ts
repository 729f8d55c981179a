/** Reads a value of the host's `/metrics`. Throws when there is none of that name. */
export async function metric(host: string, name: string): Promise<number> {
  const text = await (await fetch(`${host}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`the host has no metric ${name}`);
  return Number(value);
}
