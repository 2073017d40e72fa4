import { createPage, type Page } from '../../report/shared/layout.ts';
import { type Invocation, pageSetting } from './command.ts';

/** A separate module, so that `--help` does not load the page renderer. */
export const createTerminalPage = ({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): Page =>
  createPage(pageSetting(stdout, env));
