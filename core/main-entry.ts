import { registry } from 'virtual:main-registry';
import { lineToPage, ownLine } from './kernel/line.ts';
import type { ActivateMain } from './main.ts';

const line = lineToPage();
for (const { id, activate } of registry) (activate as ActivateMain)(ownLine(line, id)); // the export of a main half
