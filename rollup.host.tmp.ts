import all from './rollup.config.ts';
export default async () => (await all()).filter(({ output }) => /cell\.mjs|launcher\.mjs/.test(JSON.stringify(output)));
