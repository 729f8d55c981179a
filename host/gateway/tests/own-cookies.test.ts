import fastifyCookie from '@fastify/cookie';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { ownCookie, setOwnCookie } from '../own-cookies.ts';
import { setPersonCookie } from '../person.ts';

/** The answer of a host, by http or https, which sets a cookie and says what the request had for it. */
async function ask(isSecure: boolean, cookie = '') {
  const app = fastify();
  await app.register(fastifyCookie);
  app.decorateRequest('isSecure', isSecure);
  app.get('/', (request, reply) => {
    setOwnCookie(request, reply, { name: 'own', value: 'v', maxAge: 60 });
    setPersonCookie(request, reply, 'anna.x');
    return { had: ownCookie(request, 'own') ?? 'none' };
  });
  const answer = await app.inject({ url: '/', headers: { cookie } });
  await app.close();
  return { had: answer.json<{ had: string }>().had, set: answer.headers['set-cookie'] };
}

it('cookies of the host are for all its paths, and for neither scripts nor requests of other sites', async () => {
  expect((await ask(false)).set).toEqual([
    'own=v; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    'vitrine_person=anna.x; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
  ]);
});

it('cookies of the host are this very host’s alone over https', async () => {
  expect((await ask(true)).set).toEqual([
    '__Host-own=v; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Host-vitrine_person=anna.x; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax',
  ]);
  expect((await ask(true, 'own=plain')).had).toBe('none');
  expect((await ask(true, '__Host-own=mine; own=plain')).had).toBe('mine');
  expect((await ask(false, 'own=plain')).had).toBe('plain');
});
