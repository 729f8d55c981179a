import { registry } from 'virtual:page-registry';
import { startPage } from './kernel/start.ts';
import * as entry from './page.ts';

startPage(registry, entry);
