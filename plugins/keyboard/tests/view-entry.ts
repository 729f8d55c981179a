import { playView } from '../../../core/testing/played-view.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';

playView([{ manifest, activate }]);
