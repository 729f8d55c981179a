import path from 'node:path';
import { AppError } from '../../../host/plugin.ts';
import type { Verbs } from '../../../host/plugin.ts';
import { request } from './quarantine-requests.ts';
import { QuarantineFolder } from './store/quarantine-folder.ts';
import type { Quarantined } from './store/side-file.ts';

/** Takes `--to FILE` and the id out of arguments. @throws AppError `bad-option` */
function argumentsOf(args: readonly string[], hasFile: boolean): { readonly id: string; readonly to?: string } {
  const at = args.indexOf('--to');
  const to = at < 0 ? undefined : args[at + 1];
  if (at >= 0 && (!hasFile || to === undefined || to === '')) throw new AppError('bad-option', '--to: which file?');
  const [id, extra] = at < 0 ? args : args.toSpliced(at, 2);
  if (id === undefined) throw new AppError('bad-option', 'which file? See `vitrine files list`');
  if (extra !== undefined) throw new AppError('bad-option', `unexpected argument ${JSON.stringify(extra)}`);
  return to === undefined ? { id } : { id, to: path.resolve(process.env['INIT_CWD'] ?? '.', to) };
}

/** One line for a file: id, end, size, way, person, type, why, name and addresses, apart by tabs. */
function lineOf(id: string, { until, size, released, facts }: Quarantined): string {
  const text = (name: string): string => {
    const value = facts[name];
    return typeof value === 'string' ? value.replaceAll('\t', ' ') : '';
  };
  const why = [text('reason'), text('finding'), text('rule')].filter(Boolean).join('; ');
  const addresses = Array.isArray(facts['addresses']) ? facts['addresses'].join(' ').replaceAll('\t', ' ') : '';
  const end = `${new Date(until).toISOString().slice(0, 16)}Z`;
  const state = released ? 'released' : 'kept';
  return [id, state, end, size, facts.direction, facts.person, text('type'), why, facts.name, addresses].join('\t');
}

/** `vitrine files list`, `release` and `delete`: the quarantine, whether the host runs or not. */
export const quarantineVerbs: Verbs = {
  list: {
    usage: '',
    about:
      'lists the files in quarantine: id, state, end, bytes, way, person, type, why, name and addresses, apart by tabs',
    async run({ args, print, storage }) {
      if (args.length > 0) throw new AppError('bad-option', `unexpected argument ${JSON.stringify(args[0])}`);
      for (const { id, record } of await new QuarantineFolder(storage()).list())
        print(record ? lineOf(id, record) : `${id}\tdamaged`);
    },
  },
  release: {
    usage: 'ID [--to FILE]',
    about:
      'gives a file in quarantine to its person, in the tray, while the session lives; --to: writes it to a new file instead',
    async run({ args, print, storage }) {
      const { id, to } = argumentsOf(args, true);
      const home = storage();
      const folder = new QuarantineFolder(home);
      if (to !== undefined) {
        const { facts, size } = await folder.write(id, to);
        print(`${to}: ${size} bytes of ${facts.name}; it stays in quarantine until you delete ${id}`);
        return;
      }
      await folder.find(id);
      if (!(await request(home, id, 'release')))
        throw new AppError('no-host', 'no host answers, and no session lives without one: use --to FILE');
      if (!(await folder.find(id)).released)
        throw new AppError('not-released', `${id} was not released: see the log of the host`);
      print(`${id} is released: its person finds it in the tray while the session lives; else use --to FILE`);
    },
  },
  delete: {
    usage: 'ID',
    about: 'deletes a file in quarantine',
    async run({ args, print, storage }) {
      const { id } = argumentsOf(args, false);
      const home = storage();
      const folder = new QuarantineFolder(home);
      if (!(await folder.has(id))) throw new AppError('file-unknown', `there is no ${id} in quarantine`);
      const isDealtWith = await request(home, id, 'delete');
      if (await folder.has(id)) {
        if (isDealtWith) throw new AppError('not-deleted', `${id} was not deleted: see the log of the host`);
        await folder.remove(id);
      }
      print(`${id} is deleted`);
    },
  },
};
