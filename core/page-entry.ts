import { registry } from 'virtual:page-registry';
import { startPage } from './kernel/start.ts';

startPage(registry);
