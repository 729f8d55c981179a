import type { AddressContext } from './addresses.ts';
import { parseImport, parseNamespace } from './css-imports.ts';
import type { CssOutput } from './css-output.ts';
import { statementEnd } from './css-statements.ts';
import { TOKEN } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';

/** The at-rules of a sheet that only mean something at its start: where they still may stand, and the namespaces that they declare. */
export class SheetHead {
  readonly #context: Pick<AddressContext, 'base'>;
  #namespaces = '';
  #declared = '';
  #importsAllowed = true;
  #hasImports = false;
  #hasRules = false;

  /** @param context has the address that imports are relative to */
  constructor(context: Pick<AddressContext, 'base'>) {
    this.#context = context;
  }

  /** Namespaces that stand after imports, for the parts that come after those. */
  get namespaces(): string {
    return this.#namespaces;
  }

  /** All namespaces that the sheet declares. */
  get declared(): string {
    return this.#declared;
  }

  /** A rule of the sheet itself begins: no import may come after it. */
  ruleBegins(): void {
    this.#importsAllowed = false;
  }

  /** A rule of the sheet itself has ended: no namespace may come after it. */
  ruleEnded(): void {
    this.#hasRules = true;
  }

  /** The text from here to the next block has no effect. */
  spoiled(): void {
    this.ruleBegins();
    this.ruleEnded();
  }

  /** Takes an at-rule of the sheet itself where it is one of these; answers with the token to go on at: `at` for any other. */
  begin(tokens: Tokens, at: number, rule: string, output: CssOutput): number {
    const end = rule === 'charset' || rule === 'import' || rule === 'namespace' ? statementEnd(tokens, at) : at;
    if (rule === 'charset' && end > at) {
      output.put(at, '', end - 1);
      return end;
    }
    if (rule === 'import' && this.#importsAllowed) {
      const found = parseImport(tokens, at, end, this.#context.base);
      if (found) {
        output.putImport(at, found, end);
        this.#hasImports = true;
        return end;
      }
    }
    const namespace = rule === 'namespace' ? parseNamespace(tokens, at, end) : undefined;
    if (namespace !== undefined) {
      if (!this.#hasRules) this.#declared += namespace;
      if (this.#hasImports && !this.#hasRules) this.#namespaces += namespace;
      output.put(at, this.#hasImports ? '' : namespace, end - 1);
      this.#importsAllowed = false;
      return end;
    }
    if (rule !== 'layer' || tokens.types[statementEnd(tokens, at) - 1] !== TOKEN.semicolon)
      this.#importsAllowed = false;
    return at;
  }
}
