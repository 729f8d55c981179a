import { AppError, toAppError } from '../../../host/plugin.ts';
import type { Verbs } from '../../../host/plugin.ts';
import { calibrate } from './judge/scanners/calibrate.ts';
import { parseScanner } from './judge/scanners/parse-scanner.ts';
import { WRAPPINGS } from './judge/scanners/wrappings.ts';
import { megabytesOf } from './known-scanners.ts';
import { quarantineVerbs } from './quarantine-verbs.ts';

/** The scanners of arguments; without any, those of the host's environment. */
function addressesOf(args: readonly string[]): readonly string[] {
  const named = args.length > 0 ? args : (process.env['VITRINE_SCANNER'] ?? '').split(',');
  const addresses = named.map((each) => each.trim()).filter(Boolean);
  if (addresses.length === 0) throw new AppError('bad-option', 'no scanner: name one, or set VITRINE_SCANNER');
  return addresses;
}

/** `vitrine files scanners`: the files in which each scanner finds something; and the verbs of the quarantine. */
export const verbs: Verbs = {
  ...quarantineVerbs,
  scanners: {
    usage: '[SCANNER ...]',
    about: 'shows scanners the EICAR test file, and lists where they find it; without SCANNER those of VITRINE_SCANNER',
    async run({ args, print }) {
      const scanners = addressesOf(args).map((address) => parseScanner(address));
      let failed = 0;
      for (const scanner of scanners) {
        try {
          const { signal } = new AbortController();
          const coverage = await calibrate(scanner, { signal, sizes: 'whole' });
          const { megabytes, memberMegabytes } = megabytesOf(coverage);
          const missed = WRAPPINGS.filter((each) => !coverage.wrappings.includes(each));
          print(scanner.name);
          print(`\tfinds it in: ${coverage.wrappings.join(', ') || 'nothing'}`);
          if (missed.length > 0) print(`\tmisses it in: ${missed.join(', ')}`);
          print(`\treads files of ${megabytes} MB, and files of ${memberMegabytes} MB in archives`);
          if (coverage.falsePositives.length > 0)
            print(`\tcalls a clean file infected: ${coverage.falsePositives.join(', ')}`);
          if (!coverage.wrappings.includes('plain')) failed += 1;
        } catch (thrown) {
          failed += 1;
          print(toAppError(thrown).message);
        }
      }
      if (failed > 0) throw new AppError('scanner-failed', `${failed} of ${scanners.length} scanners cannot be used`);
    },
  },
};
