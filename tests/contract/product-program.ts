import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/** The product's sources as a program, without tests and the commands that print settings. */
interface ProductProgram {
  readonly checker: ts.TypeChecker;
  /** By paths from the root. */
  readonly sources: ReadonlyMap<string, ts.SourceFile>;
}

let made: ProductProgram | undefined;

/** Parses the sources of the product, once per process. Takes seconds. */
export function productProgram(): ProductProgram {
  made ??= make();
  return made;
}

function make(): ProductProgram {
  const names = ['core', 'host', 'plugins'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file))
      .filter((file) => /\.tsx?$/.test(file) && !/^host\/cli\/|\/(?:tests|testing)\//.test(file)),
  );
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  );
  const files = names.map((file) => path.join(root, file));
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const sources = files.map((file, at) => [names[at] ?? '', program.getSourceFile(file)] as const);
  return {
    checker: program.getTypeChecker(),
    sources: new Map(sources.flatMap(([name, source]) => (source ? [[name, source]] : []))),
  };
}
