import * as v from 'valibot';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { AppError } from '../../core/protocol/errors.ts';
import type { RouteErrors, Routes } from '../contracts/routes.ts';

const routesSchema = v.optional(v.record(v.string(), v.function()), {});
const errorsSchema = v.optional(
  v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  {},
);

/**
 * Checks what a file of routes exports against the manifest, which has to name the same routes.
 *
 * @throws AppError `bad-plugin` naming the file and the route.
 */
export function checkRoutes(
  file: string,
  manifest: AnyManifest,
  routes: unknown,
  errors: unknown,
): { readonly routes?: Routes; readonly routeErrors?: RouteErrors } {
  const refuse = (reason: string): never => {
    throw new AppError('bad-plugin', `${file}: ${reason}`);
  };
  const [read, statuses] = [v.safeParse(routesSchema, routes), v.safeParse(errorsSchema, errors)];
  if (!read.success) return refuse('routes: functions by method and path');
  if (!statuses.success) return refuse('errors: HTTP statuses from 400 to 599 by code');
  const exported = Object.keys(read.output);
  checkRouteNames(file, manifest, exported);
  if (exported.length === 0) return {};
  return { routes: read.output as Routes, routeErrors: statuses.output }; // the contract of routes
}

/** Refuses routes that the manifest does not name, and names without a route. @throws AppError `bad-plugin` */
export function checkRouteNames(file: string, manifest: AnyManifest, exported: readonly string[]): void {
  const named = manifest.routes ?? [];
  const refuse = (reason: string): never => {
    throw new AppError('bad-plugin', `${file}: routes: ${reason}`);
  };
  const unnamed = exported.find((route) => !named.includes(route));
  if (unnamed !== undefined) refuse(`the manifest does not name ${unnamed}`);
  const missing = named.find((route) => !exported.includes(route));
  if (missing !== undefined) refuse(`there is no ${missing}, which the manifest names`);
}
