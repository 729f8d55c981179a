import { describe, expect, it } from 'vitest';
import { FEATURES_NAMED } from './exceptions.ts';
import { featuresNamed, namedFeatures } from './feature-names.ts';

describe('the parts that serve every feature alike', () => {
  it('name no feature, but for the files that tests/lint/exceptions.ts lists', () => {
    const added = featuresNamed().filter((each) => !(each in FEATURES_NAMED));
    expect(added, 'move it into the plugin’s folder: see plugins/README.md').toEqual([]);
  });

  it('need no change and no exception for a new plugin whose id is a word that they use themselves', () => {
    expect(featuresNamed(['touch', 'find', 'files', 'media', 'drag', 'downloads', 'composition'])).toEqual([]);
  });

  it('are listed only where they still name one', () => {
    const found = featuresNamed();
    expect(Object.keys(FEATURES_NAMED).filter((each) => !found.includes(each))).toEqual([]);
  });
});

describe('the search for names', () => {
  const ids = ['print', 'context-menu', 'navigation', 'touch'];
  it.each([
    ['host/contracts/link.ts', 'export interface Link { print(): void }', ['print']],
    ['host/contracts/link.ts', 'const lastPrintJob = 1;', ['print']],
    ['host/contracts/link.ts', "route('/r/print');", ['print']],
    ['host/gateway/print-routes.ts', '', ['print']],
    ['host/contracts/link.ts', 'const contextMenu = 1;', ['context-menu']],
    ['host/contracts/link.ts', "const id = 'context-menu';", ['context-menu']],
    ['host/contracts/link.ts', "call('navigation.commit');", ['navigation']],
    ['host/contracts/link.ts', 'const navigation = sprint(printer);', []],
    ['host/contracts/link.ts', "fail('nothing to print here');", []],
    ['host/contracts/link.ts', '// print', []],
    ['core/input/place.ts', "import { x } from '../../plugins/touch/protocol.ts';", ['touch']],
    ['core/input/place.ts', 'const touch = find(touches);', []],
    ['host/contracts/link.ts', "find('-print', '--print=1');", []],
  ])('in %s: %s', (file, text, found) => {
    expect(namedFeatures(file, text, ids)).toEqual(found);
  });
});
