import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { MessageDto, UuidParam } from '../../platform/http/index.js';
import { CreateNoteDto, NoteDto, NoteListDto } from './note.dto.js';
import { NotesService } from './notes.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/notes')
@RoutesRequire('submissions:read', 'submissions:write')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  /** List the notes on a submission, oldest first. Everybody who sees the submission sees them; its visitor never does. */
  @Get()
  async list(@InForm('id') { principal, identifier, id }: InForm): Promise<NoteListDto> {
    const notes = await this.notes.list(principal, identifier, id);
    return { notes: notes.map((note) => NoteDto.of(note)) };
  }

  /** Add a note to a submission. */
  @Post()
  async add(@InForm('id') { principal, identifier, id }: InForm, @Body() { note }: CreateNoteDto): Promise<NoteDto> {
    return NoteDto.of(await this.notes.add(principal, identifier, id, note.text));
  }

  /** Remove a note; a client's token can remove only its own. For ten minutes it can be put back. */
  @Delete(':noteId')
  async remove(
    @InForm('id') { principal, identifier, id }: InForm,
    @UuidParam('noteId') noteId: Buffer | null,
  ): Promise<MessageDto> {
    await this.notes.remove(principal, identifier, id, noteId);
    return { message: 'The note has been removed.' };
  }

  /** Restore a note within ten minutes of its removal; a client's token can restore only its own. */
  @Post(':noteId/restore')
  @HttpCode(200)
  async restore(
    @InForm('id') { principal, identifier, id }: InForm,
    @UuidParam('noteId') noteId: Buffer | null,
  ): Promise<NoteDto> {
    return NoteDto.of(await this.notes.restore(principal, identifier, id, noteId));
  }
}
