import type { PluginStorage } from '../contracts/client-scope.ts';

/** Storage of one plugin in the person's browser; the database's code is fetched when it is first used. */
export function pluginStorage(id: string): PluginStorage {
  const database = (): Promise<typeof import('idb-keyval')> => import('idb-keyval');
  const name = (key: string): string => `plugin:${id}:${key}`;
  return {
    get: async (key) => (await database()).get<unknown>(name(key)),
    set: async (key, value) => (await database()).set(name(key), value),
    delete: async (key) => (await database()).del(name(key)),
  };
}
