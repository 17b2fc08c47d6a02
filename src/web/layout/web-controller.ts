import { applyDecorators, Controller, UseFilters } from '@nestjs/common';
import { WebPage } from '../../access/access.decorators.js';
import { ReadsForms } from '../../platform/http/body.interceptor.js';
import { WebFilter } from './web.filter.js';

/**
 * Makes a controller of pages for people who have signed in to an account: opened by the cookie of a
 * session, told of errors by pages, and no part of the API's document.
 */
export const WebController = (path = '') =>
  applyDecorators(Controller(path), WebPage(), ReadsForms(), UseFilters(WebFilter));
