/** An in-memory storage with the browser's interface, for tests. */
export function memoryStorage(): Storage {
  const entries = new Map<string, string>();
  const storage: Storage = {
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    clear: () => {
      entries.clear();
    },
  };
  // The names of what is stored are those of the object's own properties (HTML, section 12.2.1).
  return new Proxy(storage, {
    ownKeys: () => [...entries.keys()],
    getOwnPropertyDescriptor: (target, key) => {
      const value = entries.get(String(key));
      if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value, writable: true, enumerable: true, configurable: true };
    },
  });
}
