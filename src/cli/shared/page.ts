import { createPage, type Page } from '../../report/layout.ts';
import { type Invocation, wantsColour, widthOf } from './invocation.ts';

/** The page stdout is: its width and its colours. */
export function pageOf({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): Page {
  return createPage({ colour: wantsColour(stdout, env), width: widthOf(stdout, env) });
}

/** Nobody looks and nobody named a width: rows stay whole, so that grep and cut can work on them. */
export function wantsWholeRows({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): boolean {
  return stdout.isTTY !== true && (env['COLUMNS'] ?? '') === '';
}
