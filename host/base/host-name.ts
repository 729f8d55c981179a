/**
 * Returns a host name as all rules compare it: without the one final dot that it may have. Undefined for one with an empty label, such as
 * `site.example..`: some resolvers find the host without them, and no rule would.
 *
 * @param name as `URL.hostname` has it: lower-case ASCII, or an address
 */
export function hostName(name: string): string | undefined {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  return bare.split('.').includes('') ? undefined : bare;
}

/** Returns the host and port of an address, as rules compare them; undefined for one without a host, or with one that is none. */
export function hostAndPort({ hostname, port }: URL): string | undefined {
  const name = hostName(hostname);
  return name === undefined || port === '' ? name : `${name}:${port}`;
}
