import { applyDecorators, Controller, UseFilters } from '@nestjs/common';
import { WebPage } from '../../access/access.decorators.js';
import { ReadsForms } from '../../platform/http/bodies/body.guard.js';
import { WebFilter } from './web.filter.js';

/**
 * Marks a controller of pages for people who act for an account or a client: opened by the cookie of a
 * session, errors answered with pages, left out of the API's document.
 * @param path several where the same pages stand in several places
 */
export const WebController = (path: string | string[] = '') =>
  applyDecorators(Controller(path), WebPage(), ReadsForms(), UseFilters(WebFilter));
