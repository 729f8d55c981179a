import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecoderPackages } from '../../cells/control-messages.ts';
import { toAppError } from '../../../core/protocol/errors.ts';
import { readPolicyAside } from '../../policy/policy-reader.ts';
import { parseOptions } from '../options.ts';
import { openPolicy } from '../policy.ts';
import { loadProgram } from '../program.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PERSON = { subject: 'anna', tenant: 'default', groups: [] };

describe('the policy at the start of a host', () => {
  let folder: string;
  const warnings: unknown[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string, data?: object) => void warnings.push({ message, ...data }),
    error: () => undefined,
  };
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-compose-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = (source: string, ...decoders: readonly DecoderPackages[]) => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    writeFileSync(file, source);
    return loadProgram(ROOT, parseOptions(['--data', folder, '--policy', file], {}), ...decoders);
  };

  it('is refused with the line of each value that has no effect', async () => {
    const refused = await load(
      'tenants:\n  default:\n    policy:\n      feedback: { enable_logo: false, enable_feedback: true }\n      perf: {}\n' +
        '    sites:\n      - match: "*"\n        policy: { banner: { text: Careful } }\n',
    ).then(
      () => [],
      (thrown: unknown) => toAppError(thrown).message.split('\n'),
    );
    expect(refused).toEqual([
      expect.stringMatching(/yaml:4:56: feedback\.enable_feedback would have no effect: there is no feedback bar yet$/),
      expect.stringMatching(/yaml:5:7: unknown key "perf"/),
      expect.stringMatching(/yaml:8:35: banner\.text would have no effect: there is no such banner yet$/),
    ]);
  });

  it('is refused where it has pictures converted and nothing here can, at the start and when it is read again', async () => {
    const none = { entries: {}, folders: {} };
    const converting =
      'tenants:\n  default:\n    policy:\n      pictures: { reencode: true, quality: 50 }\n' +
      '    sites:\n      - match: "*"\n        policy: { pictures: { max_side: 100 } }\n';
    const faults = [
      /yaml:4:\d+: pictures\.reencode would have no effect: sharp, which converts pictures, is not installed or /,
      /yaml:7:\d+: pictures\.max_side would have no effect: sharp, /,
    ].map((each) => expect.stringMatching(each) as string);
    const messageOf = (thrown: unknown): string[] => toAppError(thrown).message.split('\n');
    expect(await load(converting, none).then(() => [], messageOf)).toEqual(faults);

    const { settings } = await load('tenants:\n  default:\n    policy:\n      pictures: { reencode: false }\n', none);
    const file = path.join(folder, 'vitrine.policy.yaml');
    writeFileSync(file, converting);
    expect(await readPolicyAside(file, { settings, capabilities: [] }).then(() => [], messageOf)).toEqual(faults);
    expect((await load(converting)).policy).toBeDefined(); // what is installed here does convert
  });

  it('is used with defaults and with what the host does anyway, and its idle switches are logged', async () => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    const program = await load(
      'tenants:\n  default:\n    policy:\n      transfers: { downloads: false, uploads: true }\n' +
        '      capabilities: { print: false, prnt: false, debug_hud: true }\n',
    );
    const { engine, close } = await openPolicy(program, file, log);
    close();
    expect((engine.decide(PERSON).settings as unknown as Record<string, unknown>)['transfers']).toMatchObject({
      downloads: false,
      uploads: true,
    });
    expect(warnings).toEqual([
      {
        message: 'the policy has switches without effect',
        file,
        warnings: [
          expect.stringMatching(/yaml:5:\d+: warning: no plugin here has the capability prnt$/),
          expect.stringMatching(/yaml:5:\d+: warning: this has no effect: debug_hud is turned on by client_cap/),
        ],
      },
    ]);
  });
});
