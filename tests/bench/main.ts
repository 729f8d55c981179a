import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { align } from '../fidelity/report.ts';
import type { Measure, Row } from './measure.ts';
import { setStage } from './stage.ts';

const MEASURES = path.join(import.meta.dirname, 'measures');

const USAGE = `npm run bench -- [options]

Prints figures of the product beside those of its peers, taken in one run. Smaller is better everywhere; trust the
ratios rather than the figures.

  --only A,B        only these measures: names of files in tests/bench/measures
  --json FILE       write the figures there too
  --no-product      only the peers
  --host URL        use a host that runs already; it must be allowed to reach 127.0.0.1
  --host-option O   an option for the host that is started, repeatable: --host-option=--policy=FILE
`;

async function readMeasures(only: string | undefined): Promise<Measure[]> {
  const names = (await readdir(MEASURES)).map((file) => path.basename(file, '.ts')).sort();
  const wanted = only?.split(',') ?? names;
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`There is no measure "${unknown}"; there are ${names.join(', ')}.`);
  const files = wanted.map((name) => path.join(MEASURES, `${name}.ts`));
  return Promise.all(files.map((file) => import(file) as Promise<Measure>)); // each exports a Measure
}

interface Finding extends Row {
  readonly measure: string;
}

function table(findings: readonly Finding[]): string {
  const peers = [...new Set(findings.flatMap(({ values }) => Object.keys(values)))].filter(
    (name) => name !== 'vitrine',
  );
  const head = ['measure', 'what', 'unit', 'vitrine', ...peers.flatMap((peer) => [peer, `vitrine/${peer}`])];
  const rows = findings.map(({ measure, name, unit, values }) => [
    measure,
    name,
    unit,
    figure(values.vitrine),
    ...peers.flatMap((peer) => [figure(values[peer]), ratio(values.vitrine, values[peer])]),
  ]);
  return align([head, ...rows]);
}

function figure(value: number | undefined): string {
  if (value === undefined) return '-';
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}

function ratio(value: number | undefined, peer: number | undefined): string {
  return value === undefined || !peer ? '-' : (value / peer).toFixed(3);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      only: { type: 'string' },
      json: { type: 'string' },
      product: { type: 'boolean', default: true },
      host: { type: 'string' },
      'host-option': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const measures = await readMeasures(values.only);
  const host = values.host?.replace(/\/$/, '');
  await using stage = await setStage({ product: values.product, host, hostOptions: values['host-option'] });
  const findings: Finding[] = [];
  for (const measure of measures) {
    console.error(`Measuring ${measure.name} ...`);
    try {
      findings.push(...(await measure.run(stage)).map((row) => ({ measure: measure.name, ...row })));
    } catch (error) {
      stage.fault(measure.name, error);
    }
  }
  console.log(`\n${table(findings)}`);
  for (const fault of stage.faults) console.error(`\nCould not be measured: ${fault}`);
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ findings, faults: stage.faults }, null, 2)}\n`);
  }
  if (stage.faults.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}
