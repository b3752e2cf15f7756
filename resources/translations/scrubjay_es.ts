<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>Access</name>
    <message>
        <source>{agent} wants to search your notes in {workspace}</source>
        <translation>{agent} quiere buscar en tus notas de {workspace}</translation>
    </message>
    <message>
        <source>The agent will wait {n} more {n:second|seconds} for your answer.</source>
        <translation>El agente esperará tu respuesta {n} {n:segundo|segundos} más.</translation>
    </message>
    <message>
        <source>“{query}”</source>
        <translation>«{query}»</translation>
    </message>
    <message>
        <source>Request from an agent</source>
        <translation>Petición de un agente</translation>
    </message>
    <message>
        <source>&amp;Remember my answer</source>
        <translation>&amp;Recordar mi respuesta</translation>
    </message>
    <message>
        <source>&amp;Allow</source>
        <translation>&amp;Permitir</translation>
    </message>
    <message>
        <source>{agent} wants to add text to today&apos;s note in {workspace}</source>
        <translation>{agent} quiere añadir texto a la nota de hoy de {workspace}</translation>
    </message>
    <message>
        <source>&amp;Do not allow</source>
        <translation>&amp;No permitir</translation>
    </message>
</context>
<context>
    <name>ActionList</name>
    <message>
        <source>All actions</source>
        <translation>Todas las acciones</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>Buscar una acción</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Acciones</translation>
    </message>
    <message>
        <source>No actions found.</source>
        <translation>No se encontraron acciones.</translation>
    </message>
</context>
<context>
    <name>AgentCard</name>
    <message>
        <source>Connect…</source>
        <translation>Conectar…</translation>
    </message>
    <message>
        <source>Update…</source>
        <translation>Actualizar…</translation>
    </message>
    <message>
        <source>Set up more…</source>
        <translation>Configurar más…</translation>
    </message>
    <message>
        <source>Disconnect…</source>
        <translation>Desconectar…</translation>
    </message>
    <message>
        <source>Copy text for {file}</source>
        <translation>Copiar el texto para {file}</translation>
    </message>
    <message>
        <source>This text tells {agent} when to search your notes.</source>
        <translation>Este texto le dice a {agent} cuándo buscar en tus notas.</translation>
    </message>
    <message>
        <source>Its own memory in {folder} is not searched yet ({notes}).</source>
        <translation>Su propia memoria, en {folder}, aún no forma parte de la búsqueda ({notes}).</translation>
    </message>
    <message>
        <source>Add to search</source>
        <translation>Añadir a la búsqueda</translation>
    </message>
    <message>
        <source>Set up outside Scrubjay</source>
        <translation>Configurado fuera de Scrubjay</translation>
    </message>
    <message>
        <source>Connected twice: through its Scrubjay extension and through its settings</source>
        <translation>Conectado dos veces: mediante su extensión de Scrubjay y mediante sus ajustes</translation>
    </message>
    <message>
        <source>Connected through its Scrubjay extension</source>
        <translation>Conectado mediante su extensión de Scrubjay</translation>
    </message>
    <message>
        <source>Connected, but these parts were removed or changed: {parts}</source>
        <translation>Conectado, pero se han quitado o cambiado estas partes: {parts}</translation>
    </message>
    <message>
        <source>Connected to another copy of Scrubjay or to other notes</source>
        <translation>Conectado a otra copia de Scrubjay o a otras notas</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Conectado</translation>
    </message>
    <message>
        <source>Connected: {parts}</source>
        <translation>Conectado: {parts}</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>No conectado</translation>
    </message>
</context>
<context>
    <name>AgentOverview</name>
    <message>
        <source>No recorded questions</source>
        <translation>Ninguna pregunta registrada</translation>
    </message>
    <message>
        <source>{n} {n:question|questions}. Latest: “{question}” ({day})</source>
        <translation>{n} {n:pregunta|preguntas}. La última: «{question}» ({day})</translation>
    </message>
</context>
<context>
    <name>AgentsPage</name>
    <message>
        <source>Agents</source>
        <translation>Agentes</translation>
    </message>
    <message>
        <source>No agents were found on this computer.</source>
        <translation>No se encontró ningún agente en este equipo.</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>Permisos</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Preguntas</translation>
    </message>
    <message>
        <source>Passages that agents often look up in your daily notes may belong in MEMORY.md. By default, Scrubjay adds nothing without your permission. You can undo the most recent addition.</source>
        <translation>Los fragmentos de las notas diarias que los agentes consultan a menudo quizá deban estar en MEMORY.md. Si no cambias los ajustes, Scrubjay no añade nada sin tu permiso. Puedes deshacer lo último que se añadió.</translation>
    </message>
    <message>
        <source>No suggestions yet</source>
        <translation>Aún no hay propuestas</translation>
    </message>
    <message>
        <source>Add to MEMORY.md</source>
        <translation>Añadir a MEMORY.md</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Conservar</translation>
    </message>
    <message>
        <source>Facts are not kept</source>
        <translation>No se conservan datos</translation>
    </message>
    <message>
        <source>Facts that you tell agents appear here.</source>
        <translation>Aquí aparecen los datos que cuentas a los agentes.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>Propuestas</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Resumen</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Cambios</translation>
    </message>
    <message>
        <source>From conversations</source>
        <translation>De conversaciones</translation>
    </message>
    <message>
        <source>Let AI programs search your notes</source>
        <translation>Deja que los programas de IA busquen en tus notas</translation>
    </message>
    <message>
        <source>{programs} can search your notes while they work for you. You decide what each of them can see. None of them was found on this computer.</source>
        <translation>{programs} pueden buscar en tus notas mientras trabajan para ti. Tú decides qué puede ver cada uno. No se encontró ninguno en este equipo.</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Comprobar de nuevo</translation>
    </message>
    <message>
        <source>Look for suggestions</source>
        <translation>Buscar propuestas</translation>
    </message>
    <message>
        <source>These decisions, preferences and facts come from your conversations with agents. Those that you keep are added to the end of today&apos;s note.</source>
        <translation>Estas decisiones, preferencias y datos proceden de tus conversaciones con los agentes. Scrubjay añade los que conserves al final de la nota de hoy.</translation>
    </message>
    <message>
        <source>Scrubjay collects suggestions while agents search your notes.</source>
        <translation>Scrubjay reúne propuestas mientras los agentes buscan en tus notas.</translation>
    </message>
    <message>
        <source>Suggestions are off</source>
        <translation>Las propuestas están desactivadas</translation>
    </message>
    <message>
        <source>Turn them on above. Scrubjay then collects them while agents search.</source>
        <translation>Actívalas arriba. Scrubjay las reunirá mientras los agentes buscan.</translation>
    </message>
    <message>
        <source>Choose above what Scrubjay does with facts that you tell agents.</source>
        <translation>Elige arriba qué hace Scrubjay con los datos que cuentas a los agentes.</translation>
    </message>
    <message>
        <source>Nothing to review</source>
        <translation>Nada que revisar</translation>
    </message>
    <message>
        <source>Facts that you tell agents are added to today&apos;s note.</source>
        <translation>Los datos que cuentas a los agentes se añaden a la nota de hoy.</translation>
    </message>
    <message>
        <source>Nothing to review yet</source>
        <translation>Aún no hay nada que revisar</translation>
    </message>
    <message>
        <source>Agents found this passage {n} {n:time|times} for {queries} {queries:question|questions}. Certainty: {share}.</source>
        <translation>Los agentes encontraron este fragmento {n} {n:vez|veces} para {queries} {queries:pregunta|preguntas}. Certeza: {share}.</translation>
    </message>
    <message>
        <source>The passage was added to MEMORY.md.</source>
        <translation>Se ha añadido el fragmento a MEMORY.md.</translation>
    </message>
    <message>
        <source>MEMORY.md was restored.</source>
        <translation>Se ha restaurado MEMORY.md.</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>Preferencia</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Decisión</translation>
    </message>
    <message>
        <source>Person or thing</source>
        <translation>Persona o cosa</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Dato</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Otro</translation>
    </message>
    <message>
        <source>The text was added to {path}.</source>
        <translation>Se ha añadido el texto a {path}.</translation>
    </message>
    <message>
        <source>{n} {n:suggestion is|suggestions are} waiting for your decision.</source>
        <translation>{n} {n:propuesta espera|propuestas esperan} tu decisión.</translation>
    </message>
</context>
<context>
    <name>ApiKeysPanel</name>
    <message>
        <source>Scrubjay stores keys in this computer&apos;s keychain, never in a file. Scrubjay opens the keychain only when you click one of these buttons or when a service needs its key.</source>
        <translation>Las claves se guardan en el llavero de este equipo, nunca en un archivo. Scrubjay solo abre el llavero cuando haces clic en uno de estos botones o cuando un servicio necesita su clave.</translation>
    </message>
    <message>
        <source>Move keys from the settings file to the keychain</source>
        <translation>Pasar las claves del archivo de ajustes al llavero</translation>
    </message>
    <message>
        <source>Testing the key for {provider}…</source>
        <translation>Probando la clave de {provider}…</translation>
    </message>
    <message>
        <source>The key works. {provider} answered in {ms} ms.</source>
        <translation>La clave funciona. {provider} ha respondido en {ms} ms.</translation>
    </message>
    <message>
        <source>These keys were moved to the keychain: {names}.</source>
        <translation>Estas claves se han pasado al llavero: {names}.</translation>
    </message>
    <message>
        <source>Look for keys in the keychain</source>
        <translation>Buscar claves en el llavero</translation>
    </message>
</context>
<context>
    <name>AuditLog</name>
    <message>
        <source>Clear the list</source>
        <translation>Vaciar la lista</translation>
    </message>
    <message>
        <source>Clear the list of questions from agents?</source>
        <translation>¿Vaciar la lista de preguntas de los agentes?</translation>
    </message>
    <message>
        <source>You cannot undo this.</source>
        <translation>Esto no se puede deshacer.</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>&amp;Vaciar la lista</translation>
    </message>
    <message>
        <source>&amp;Keep the list</source>
        <translation>&amp;Conservar la lista</translation>
    </message>
    <message>
        <source>The request was refused. {reason}</source>
        <translation>La petición se ha denegado. {reason}</translation>
    </message>
    <message>
        <source>The request was not answered. {reason}</source>
        <translation>La petición no se ha respondido. {reason}</translation>
    </message>
    <message>
        <source>No notes were shown</source>
        <translation>No se mostró ninguna nota</translation>
    </message>
    <message>
        <source>{n} more {n:note|notes}</source>
        <translation>{n} {n:nota|notas} más</translation>
    </message>
    <message>
        <source>Notes shown: {notes}</source>
        <translation>Notas mostradas: {notes}</translation>
    </message>
    <message>
        <source>Are the notes up to date?</source>
        <translation>¿Están al día las notas?</translation>
    </message>
</context>
<context>
    <name>AuditLogPane</name>
    <message>
        <source>Questions from agents</source>
        <translation>Preguntas de los agentes</translation>
    </message>
    <message>
        <source>Clear the list…</source>
        <translation>Vaciar la lista…</translation>
    </message>
    <message>
        <source>Scrubjay keeps questions from agents here for {n} {n:day|days}, but not the text of your notes.</source>
        <translation>Scrubjay guarda aquí las preguntas de los agentes durante {n} {n:día|días}, pero no el texto de tus notas.</translation>
    </message>
    <message>
        <source>No questions yet</source>
        <translation>Aún no hay preguntas</translation>
    </message>
    <message>
        <source>After you connect an agent, its questions appear here.</source>
        <translation>Cuando conectes un agente, sus preguntas aparecerán aquí.</translation>
    </message>
    <message>
        <source>Scrubjay does not record questions from agents.</source>
        <translation>Scrubjay no registra las preguntas de los agentes.</translation>
    </message>
    <message>
        <source>Questions are not recorded</source>
        <translation>Las preguntas no se registran</translation>
    </message>
    <message>
        <source>In the settings, you can change how long Scrubjay keeps them.</source>
        <translation>En los ajustes puedes cambiar cuánto tiempo las conserva Scrubjay.</translation>
    </message>
</context>
<context>
    <name>Autostart</name>
    <message>
        <source>To start Scrubjay when you log in, add this command to your startup programs: {command}</source>
        <translation>Para iniciar Scrubjay al iniciar sesión, añade esta orden a los programas de inicio: {command}</translation>
    </message>
    <message>
        <source>Scrubjay is set to start with other settings when you log in. To start it with the current settings instead, turn this on.</source>
        <translation>Al iniciar sesión, Scrubjay se inicia con otros ajustes. Para iniciarlo con los ajustes actuales, activa esta opción.</translation>
    </message>
    <message>
        <source>Scrubjay was set to start from {program}, which is not there. To start it from its current folder, turn this on.</source>
        <translation>Scrubjay debía iniciarse desde {program}, que no existe. Para iniciarlo desde su carpeta actual, activa esta opción.</translation>
    </message>
    <message>
        <source>Another copy of Scrubjay is set to start when you log in: {program}. To start this copy instead, turn this on.</source>
        <translation>Al iniciar sesión se inicia otra copia de Scrubjay: {program}. Para iniciar esta copia en su lugar, activa esta opción.</translation>
    </message>
    <message>
        <source>Scrubjay cannot change which programs start when you log in</source>
        <translation>Scrubjay no puede cambiar qué programas arrancan al iniciar sesión</translation>
    </message>
    <message>
        <source>Scrubjay cannot start from here when you log in</source>
        <translation>Scrubjay no puede iniciarse desde aquí cuando inicies sesión</translation>
    </message>
    <message>
        <source>The setting to start Scrubjay when you log in could not be changed</source>
        <translation>No se pudo cambiar el ajuste que abre Scrubjay al iniciar sesión</translation>
    </message>
    <message>
        <source>Check that you have permission to change {place}.</source>
        <translation>Comprueba que tienes permiso para cambiar {place}.</translation>
    </message>
</context>
<context>
    <name>BringOver</name>
    <message>
        <source>Folders to search</source>
        <translation>Carpetas en las que buscar</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Language helpers</source>
        <translation>Ayudantes de idioma</translation>
    </message>
</context>
<context>
    <name>Bug</name>
    <message>
        <source>Restart Scrubjay</source>
        <translation>Reiniciar Scrubjay</translation>
    </message>
    <message>
        <source>Scrubjay was moved or removed while it was running.</source>
        <translation>Scrubjay se ha movido o eliminado mientras estaba abierto.</translation>
    </message>
    <message>
        <source>Your notes are safe. Quit Scrubjay and start it again.</source>
        <translation>Tus notas están a salvo. Cierra Scrubjay y vuelve a abrirlo.</translation>
    </message>
    <message>
        <source>Your notes are safe, and you can continue working. To report the problem, copy the report and send it to the developers.</source>
        <translation>Tus notas están a salvo y puedes seguir trabajando. Para informar del problema, copia el informe y envíalo a los desarrolladores.</translation>
    </message>
    <message>
        <source>The report is saved only on this computer, in {file}.</source>
        <translation>El informe se guarda solo en este equipo, en {file}.</translation>
    </message>
    <message>
        <source>Unexpected error</source>
        <translation>Error inesperado</translation>
    </message>
    <message>
        <source>An unexpected error occurred in Scrubjay.</source>
        <translation>Se ha producido un error inesperado en Scrubjay.</translation>
    </message>
    <message>
        <source>&amp;Copy report</source>
        <translation>&amp;Copiar el informe</translation>
    </message>
</context>
<context>
    <name>Callout</name>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Abstract</source>
        <translation>Resumen</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Resumen</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Información</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>Pendiente</translation>
    </message>
    <message>
        <source>Tip</source>
        <translation>Consejo</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Pista</translation>
    </message>
    <message>
        <source>Important</source>
        <translation>Importante</translation>
    </message>
    <message>
        <source>Success</source>
        <translation>Logrado</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Advertencia</translation>
    </message>
    <message>
        <source>Caution</source>
        <translation>Cuidado</translation>
    </message>
    <message>
        <source>Danger</source>
        <translation>Peligro</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Error</translation>
    </message>
    <message>
        <source>Bug</source>
        <translation>Fallo</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Ejemplo</translation>
    </message>
    <message>
        <source>Quotation</source>
        <translation>Cita</translation>
    </message>
</context>
<context>
    <name>ChangeCard</name>
    <message>
        <source>Discard</source>
        <translation>Descartar</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Editar…</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Aceptar</translation>
    </message>
</context>
<context>
    <name>ChangeDialog</name>
    <message>
        <source>Disconnect {agent}</source>
        <translation>Desconectar {agent}</translation>
    </message>
    <message>
        <source>Planned changes</source>
        <translation>Cambios previstos</translation>
    </message>
    <message>
        <source>&amp;Apply changes</source>
        <translation>&amp;Aplicar los cambios</translation>
    </message>
    <message>
        <source>Scrubjay will change these lines. A copy of each file will be kept.</source>
        <translation>Scrubjay cambiará estas líneas. Se guardará una copia de cada archivo.</translation>
    </message>
    <message>
        <source>The agent&apos;s settings do not need to be changed.</source>
        <translation>No hace falta cambiar los ajustes del agente.</translation>
    </message>
    <message>
        <source>Let {agent} search your notes</source>
        <translation>Permitir que {agent} busque en tus notas</translation>
    </message>
    <message>
        <source>Recall notes before answers, and keep finished conversations</source>
        <translation>Recordar notas antes de responder y guardar las conversaciones terminadas</translation>
    </message>
    <message>
        <source>Tell {agent} when to search and what to keep</source>
        <translation>Indicar a {agent} cuándo buscar y qué guardar</translation>
    </message>
    <message>
        <source>Connect {agent}</source>
        <translation>Conectar {agent}</translation>
    </message>
</context>
<context>
    <name>ChangesPane</name>
    <message>
        <source>Changes that agents propose to your notes wait here until you accept them. On the Permissions tab, you can allow an agent to change notes without your review. By default, agents can write to their own memory without asking. You can undo a change for two weeks, unless the note has been edited since.</source>
        <translation>Los cambios que los agentes proponen en tus notas esperan aquí hasta que los aceptes. En la pestaña Permisos puedes permitir que un agente cambie notas sin tu revisión. Si no cambias los ajustes, los agentes pueden escribir en su propia memoria sin preguntar. Puedes deshacer un cambio durante dos semanas, salvo que la nota se haya editado después.</translation>
    </message>
    <message>
        <source>No changes to review</source>
        <translation>No hay cambios por revisar</translation>
    </message>
    <message>
        <source>Changes that agents propose appear here.</source>
        <translation>Aquí aparecen los cambios que proponen los agentes.</translation>
    </message>
    <message>
        <source>Written in the last two weeks</source>
        <translation>Escritos en las últimas dos semanas</translation>
    </message>
    <message>
        <source>Discard all {n}</source>
        <translation>Descartar los {n}</translation>
    </message>
    <message>
        <source>Accept all {n}</source>
        <translation>Aceptar los {n}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>{path} was changed.</source>
        <translation>Se cambió {path}.</translation>
    </message>
    <message>
        <source>{path} was restored.</source>
        <translation>Se restauró {path}.</translation>
    </message>
</context>
<context>
    <name>Close</name>
    <message>
        <source>Close Scrubjay</source>
        <translation>Cerrar Scrubjay</translation>
    </message>
    <message>
        <source>Keep Scrubjay running in the background?</source>
        <translation>¿Dejar Scrubjay funcionando en segundo plano?</translation>
    </message>
    <message>
        <source>In the background, Scrubjay reads changed notes unless reading is paused. To reopen the window, click the tray icon.</source>
        <translation>En segundo plano, Scrubjay lee las notas que cambian, salvo que la lectura esté en pausa. Para volver a abrir la ventana, haz clic en el icono de la bandeja.</translation>
    </message>
    <message>
        <source>In the background, Scrubjay reads changed notes unless reading is paused. To reopen the window, click Scrubjay in the Dock.</source>
        <translation>En segundo plano, Scrubjay lee las notas que cambian, salvo que la lectura esté en pausa. Para volver a abrir la ventana, haz clic en Scrubjay en el Dock.</translation>
    </message>
    <message>
        <source>In the background, Scrubjay reads changed notes unless reading is paused. Because this desktop does not show tray icons, start Scrubjay again to reopen the window.</source>
        <translation>En segundo plano, Scrubjay lee las notas que cambian, salvo que la lectura esté en pausa. Como este escritorio no muestra iconos en la bandeja, inicia Scrubjay de nuevo para volver a abrir la ventana.</translation>
    </message>
    <message>
        <source>You can change this later in the settings.</source>
        <translation>Puedes cambiarlo más tarde en los ajustes.</translation>
    </message>
    <message>
        <source>&amp;Keep running</source>
        <translation>&amp;Seguir funcionando</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Sa&amp;lir</translation>
    </message>
</context>
<context>
    <name>ConnectPane</name>
    <message>
        <source>Connected agents search your notes with Scrubjay instead of reading the files. Before Scrubjay changes an agent&apos;s settings, you see each change. You can undo the changes later.</source>
        <translation>Los agentes conectados buscan en tus notas con Scrubjay en vez de leer los archivos. Scrubjay te muestra cada cambio en los ajustes de un agente antes de hacerlo. Puedes deshacer el cambio después.</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agentes</translation>
    </message>
    <message>
        <source>Not found on this computer: {names}.</source>
        <translation>No se encontraron en este equipo: {names}.</translation>
    </message>
    <message>
        <source>The text was copied. Paste it into {file} in your project or in the {agent} folder.</source>
        <translation>Se ha copiado el texto. Pégalo en {file}, en tu proyecto o en la carpeta de {agent}.</translation>
    </message>
    <message>
        <source>The agent&apos;s settings do not need to be changed.</source>
        <translation>No hace falta cambiar los ajustes del agente.</translation>
    </message>
    <message>
        <source>{agent} is no longer connected to Scrubjay.</source>
        <translation>{agent} ya no está conectado a Scrubjay.</translation>
    </message>
    <message>
        <source>{agent} is now connected to Scrubjay. {after}</source>
        <translation>{agent} está ahora conectado a Scrubjay. {after}</translation>
    </message>
    <message>
        <source>Its own memory is not searched yet. You can add it below.</source>
        <translation>Su propia memoria aún no forma parte de la búsqueda. Puedes añadirla más abajo.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
</context>
<context>
    <name>Connection</name>
    <message>
        <source>search</source>
        <translation>búsqueda</translation>
    </message>
    <message>
        <source>hooks</source>
        <translation>hooks</translation>
    </message>
    <message>
        <source>instructions</source>
        <translation>instrucciones</translation>
    </message>
</context>
<context>
    <name>Copy</name>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
    <message>
        <source>{path}, line {first}</source>
        <translation>{path}, línea {first}</translation>
    </message>
    <message>
        <source>{path}, lines {first} to {last}</source>
        <translation>{path}, líneas {first} a {last}</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>{notes}, about {words} words,</source>
        <translation>{notes}, unas {words} palabras,</translation>
    </message>
    <message>
        <source>Search by meaning needs your permission</source>
        <translation>La búsqueda por significado necesita tu permiso</translation>
    </message>
    <message>
        <source>If you agree, {what} will be sent to {host}.</source>
        <translation>Si aceptas, se enviarán {what} a {host}.</translation>
    </message>
    <message>
        <source>Agree in Scrubjay, or run `scrubjay index --yes`. You can also choose a language helper on this computer.</source>
        <translation>Acepta en Scrubjay o ejecuta `scrubjay index --yes`. También puedes elegir un ayudante de idioma de este equipo.</translation>
    </message>
    <message>
        <source>Search by meaning is waiting for the service</source>
        <translation>La búsqueda por significado espera al servicio</translation>
    </message>
    <message>
        <source>The service did not finish within {minutes} minutes.</source>
        <translation>El servicio no ha terminado en {minutes} minutos.</translation>
    </message>
    <message>
        <source>This value cannot be used</source>
        <translation>Este valor no se puede usar</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>No se ha cambiado nada.</translation>
    </message>
    <message>
        <source>Nothing was changed. Correct the file in a text editor, then try again.</source>
        <translation>No se ha cambiado nada. Corrige el archivo en un editor de texto y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>This folder is already in the list</source>
        <translation>Esta carpeta ya está en la lista</translation>
    </message>
    <message>
        <source>{file} contains characters that Scrubjay cannot read</source>
        <translation>{file} contiene letras que Scrubjay no puede leer</translation>
    </message>
    <message>
        <source>{file} cannot be deleted</source>
        <translation>No se puede borrar {file}</translation>
    </message>
    <message>
        <source>Scrubjay cannot write to {file}</source>
        <translation>No se puede escribir en {file}</translation>
    </message>
    <message>
        <source>{file} is not a settings file</source>
        <translation>{file} no es un archivo de ajustes</translation>
    </message>
    <message>
        <source>{path} has a mistake</source>
        <translation>{path} tiene un error</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>un número entero</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>un número</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>un número finito</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>verdadero o falso (true o false)</translation>
    </message>
    <message>
        <source>text</source>
        <translation>texto</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>una lista</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>un objeto</translation>
    </message>
    <message>
        <source>something else</source>
        <translation>otra cosa</translation>
    </message>
    <message>
        <source>a huge number</source>
        <translation>un número enorme</translation>
    </message>
    <message>
        <source>{found} is too small</source>
        <translation>{found} es demasiado pequeño</translation>
    </message>
    <message>
        <source>{found} is too large</source>
        <translation>{found} es demasiado grande</translation>
    </message>
    <message>
        <source>line {line}, column {column}: {message}</source>
        <translation>línea {line}, columna {column}: {message}</translation>
    </message>
    <message>
        <source>the end of the file</source>
        <translation>el final del archivo</translation>
    </message>
    <message>
        <source>expected the end of the file but found {found}</source>
        <translation>aquí no puede haber nada más, pero hay {found}</translation>
    </message>
    <message>
        <source>this comment is never closed</source>
        <translation>este comentario no se cierra nunca</translation>
    </message>
    <message>
        <source>more than {n} levels deep</source>
        <translation>más de {n} niveles de profundidad</translation>
    </message>
    <message>
        <source>expected a colon after the key {key} but found {found}</source>
        <translation>se esperaban dos puntos tras la clave {key}, pero hay {found}</translation>
    </message>
    <message>
        <source>expected a key but found {found}</source>
        <translation>se esperaba una clave, pero hay {found}</translation>
    </message>
    <message>
        <source>this text has no closing quotation mark on the same line</source>
        <translation>a este texto le faltan las comillas de cierre en su línea</translation>
    </message>
    <message>
        <source>expected a value but found {found}</source>
        <translation>se esperaba un valor, pero hay {found}</translation>
    </message>
    <message>
        <source>expected a comma or {bracket} but found {found}</source>
        <translation>se esperaba una coma o {bracket}, pero hay {found}</translation>
    </message>
    <message>
        <source>\{escape} is not a valid escape sequence</source>
        <translation>\{escape} no representa ningún carácter</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privacidad</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agentes</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Sí</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>Preguntarme</translation>
    </message>
    <message>
        <source>No</source>
        <translation>No</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Siempre</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nunca</translation>
    </message>
    <message>
        <source>The language helper on this computer</source>
        <translation>El ayudante de idioma de este equipo</translation>
    </message>
    <message>
        <source>Add to a list for review</source>
        <translation>Añadir a una lista para revisar</translation>
    </message>
    <message>
        <source>With fixed weights</source>
        <translation>Con pesos fijos</translation>
    </message>
    <message>
        <source>Agents may search my notes</source>
        <translation>Los agentes pueden buscar en mis notas</translation>
    </message>
    <message>
        <source>Search by words and by meaning together</source>
        <translation>Buscar por palabras y por significado a la vez</translation>
    </message>
    <message>
        <source>Sources to search</source>
        <translation>Fuentes en las que se busca</translation>
    </message>
    <message>
        <source>Milliseconds to wait after a change</source>
        <translation>Milisegundos de espera tras un cambio</translation>
    </message>
    <message>
        <source>Finds changes made while Scrubjay was not running.</source>
        <translation>Encuentra los cambios hechos mientras Scrubjay no estaba abierto.</translation>
    </message>
    <message>
        <source>An online service receives the text of your notes, but only after you agree.</source>
        <translation>Un servicio de internet recibe el texto de tus notas, pero solo después de que aceptes.</translation>
    </message>
    <message>
        <source>Language helper provided by the service</source>
        <translation>Ayudante de idioma que ofrece el servicio</translation>
    </message>
    <message>
        <source>Fallback</source>
        <translation>Quién lo sustituye</translation>
    </message>
    <message>
        <source>Address of another service</source>
        <translation>Dirección de otro servicio</translation>
    </message>
    <message>
        <source>Send many notes at half the price</source>
        <translation>Enviar muchas notas a mitad de precio</translation>
    </message>
    <message>
        <source>Keep what I tell agents</source>
        <translation>Conservar lo que digo a los agentes</translation>
    </message>
    <message>
        <source>Let agents take notes before a conversation is shortened</source>
        <translation>Que los agentes tomen notas antes de acortar una conversación</translation>
    </message>
    <message>
        <source>Maximum length of MEMORY.md, in characters</source>
        <translation>Longitud máxima de MEMORY.md, en caracteres</translation>
    </message>
    <message>
        <source>Folder for the language helpers</source>
        <translation>Carpeta para los ayudantes de idioma</translation>
    </message>
    <message>
        <source>Size of a passage</source>
        <translation>Tamaño de un fragmento</translation>
    </message>
    <message>
        <source>How to combine words and meaning</source>
        <translation>Cómo combinar palabras y significado</translation>
    </message>
    <message>
        <source>Scrubjay does not know an agent called {name}</source>
        <translation>Scrubjay no conoce ningún agente llamado {name}</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>No se ha escrito nada.</translation>
    </message>
    <message>
        <source>The settings for {name} have changed since Scrubjay read them</source>
        <translation>Los ajustes de {name} han cambiado desde que Scrubjay los leyó</translation>
    </message>
    <message>
        <source>{file} cannot be read</source>
        <translation>No se puede leer {file}</translation>
    </message>
    <message>
        <source>Scrubjay cannot save the settings for {name}</source>
        <translation>Scrubjay no puede guardar los ajustes de {name}</translation>
    </message>
    <message>
        <source>line {line}, column {column}</source>
        <translation>línea {line}, columna {column}</translation>
    </message>
    <message>
        <source>Scrubjay cannot read the settings for {name}</source>
        <translation>Scrubjay no puede leer los ajustes de {name}</translation>
    </message>
    <message>
        <source>{key} does not contain settings in the expected format</source>
        <translation>{key} no contiene ajustes en el formato esperado</translation>
    </message>
    <message>
        <source>Scrubjay could not search the notes within {seconds} seconds.</source>
        <translation>Scrubjay no ha podido buscar en las notas en {seconds} segundos.</translation>
    </message>
    <message>
        <source>Scrubjay is reading the notes for the first time.</source>
        <translation>Scrubjay está leyendo las notas por primera vez.</translation>
    </message>
    <message>
        <source>This folder is not in the list</source>
        <translation>Esta carpeta no está en la lista</translation>
    </message>
    <message>
        <source>MEMORY.md already says this.</source>
        <translation>MEMORY.md ya lo dice.</translation>
    </message>
    <message>
        <source>{name} is read-only</source>
        <translation>{name} es de solo lectura</translation>
    </message>
    <message>
        <source>With this text, MEMORY.md would have more than {budget} characters.</source>
        <translation>Con este texto, MEMORY.md tendría más de {budget} caracteres.</translation>
    </message>
    <message>
        <source>Scrubjay cannot read {name}</source>
        <translation>Scrubjay no puede leer {name}</translation>
    </message>
    <message>
        <source>The language helper stopped unexpectedly</source>
        <translation>El ayudante de idioma se ha detenido de forma inesperada</translation>
    </message>
    <message>
        <source>Try again, or choose another language helper.</source>
        <translation>Vuelve a intentarlo o elige otro ayudante de idioma.</translation>
    </message>
    <message>
        <source>The language helper is not on this computer</source>
        <translation>El ayudante de idioma no está en este equipo</translation>
    </message>
    <message>
        <source>Install Scrubjay again, or choose another language helper.</source>
        <translation>Vuelve a instalar Scrubjay o elige otro ayudante de idioma.</translation>
    </message>
    <message>
        <source>The language helper is turned off</source>
        <translation>El ayudante de idioma está apagado</translation>
    </message>
    <message>
        <source>{name} cannot be loaded</source>
        <translation>No se puede cargar {name}</translation>
    </message>
    <message>
        <source>The language helper refused the request</source>
        <translation>El ayudante de idioma ha rechazado la petición</translation>
    </message>
    <message>
        <source>This computer does not have enough free memory for the language helper</source>
        <translation>Este equipo no tiene bastante memoria libre para el ayudante de idioma</translation>
    </message>
    <message>
        <source>The language helper failed (error {status})</source>
        <translation>El ayudante de idioma ha fallado (error {status})</translation>
    </message>
    <message>
        <source>Scrubjay cannot read this file</source>
        <translation>Scrubjay no puede leer este archivo</translation>
    </message>
    <message>
        <source>There is no key for {name}</source>
        <translation>No hay clave para {name}</translation>
    </message>
    <message>
        <source>The service reported the status “{status}”.</source>
        <translation>El servicio ha indicado el estado «{status}».</translation>
    </message>
    <message>
        <source>Check the internet connection.</source>
        <translation>Comprueba la conexión a internet.</translation>
    </message>
    <message>
        <source>Start Ollama, then try again.</source>
        <translation>Inicia Ollama y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The service is turned off</source>
        <translation>El servicio está apagado</translation>
    </message>
    <message>
        <source>{name} is turned off</source>
        <translation>{name} está apagado</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>Vuelve a intentarlo más tarde.</translation>
    </message>
    <message>
        <source>{name} refused the request (error {status})</source>
        <translation>{name} ha rechazado la petición (error {status})</translation>
    </message>
    <message>
        <source>{name} is having problems (error {status})</source>
        <translation>{name} tiene problemas (error {status})</translation>
    </message>
    <message>
        <source>{name} refused the key</source>
        <translation>{name} ha rechazado la clave</translation>
    </message>
    <message>
        <source>{name} needs a key</source>
        <translation>{name} necesita una clave</translation>
    </message>
    <message>
        <source>The file no longer exists.</source>
        <translation>El archivo ya no existe.</translation>
    </message>
    <message>
        <source>No language helper was found.</source>
        <translation>No se ha encontrado ningún ayudante de idioma.</translation>
    </message>
    <message>
        <source>Scrubjay is closing</source>
        <translation>Scrubjay se está cerrando</translation>
    </message>
    <message>
        <source>The language helper has not been started yet.</source>
        <translation>El ayudante de idioma aún no se ha iniciado.</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Permiso denegado</translation>
    </message>
    <message>
        <source>The system does not allow access</source>
        <translation>El sistema no permite el acceso</translation>
    </message>
    <message>
        <source>The file already exists</source>
        <translation>El archivo ya existe</translation>
    </message>
    <message>
        <source>The folder is not empty</source>
        <translation>La carpeta no está vacía</translation>
    </message>
    <message>
        <source>There is no space left on the disk</source>
        <translation>No queda espacio en el disco</translation>
    </message>
    <message>
        <source>The disk is read-only</source>
        <translation>El disco es de solo lectura</translation>
    </message>
    <message>
        <source>The file name is too long</source>
        <translation>El nombre del archivo es demasiado largo</translation>
    </message>
    <message>
        <source>Too many files are open</source>
        <translation>Hay demasiados archivos abiertos</translation>
    </message>
    <message>
        <source>There is not enough memory</source>
        <translation>No hay memoria suficiente</translation>
    </message>
    <message>
        <source>You have used up your quota on this disk</source>
        <translation>Has agotado el espacio que tienes permitido en este disco</translation>
    </message>
    <message>
        <source>The file is too large for this disk</source>
        <translation>El archivo es demasiado grande para este disco</translation>
    </message>
    <message>
        <source>The system does not accept this name or file</source>
        <translation>El sistema no acepta este nombre o archivo</translation>
    </message>
    <message>
        <source>The drive is no longer connected</source>
        <translation>La unidad ya no está conectada</translation>
    </message>
    <message>
        <source>The other computer closed the connection</source>
        <translation>El otro equipo cerró la conexión</translation>
    </message>
    <message>
        <source>Another program is using this address</source>
        <translation>Otro programa usa esa dirección</translation>
    </message>
    <message>
        <source>Scrubjay skips {path}. {reason}</source>
        <translation>Scrubjay omite {path}. {reason}</translation>
    </message>
    <message>
        <source>{name} can no longer be read</source>
        <translation>{name} ya no se puede leer</translation>
    </message>
    <message>
        <source>There is no password or key to blank out</source>
        <translation>No hay ninguna contraseña ni clave que tachar</translation>
    </message>
    <message>
        <source>{file} has changed since Scrubjay read it</source>
        <translation>{file} ha cambiado desde que Scrubjay lo leyó</translation>
    </message>
    <message>
        <source>The agent is not allowed to write to this folder</source>
        <translation>El agente no tiene permiso para escribir en esta carpeta</translation>
    </message>
    <message>
        <source>Search by meaning</source>
        <translation>Buscar por significado</translation>
    </message>
    <message>
        <source>The file is missing</source>
        <translation>Falta el archivo</translation>
    </message>
    <message>
        <source>This change is no longer in the list</source>
        <translation>Este cambio ya no está en la lista</translation>
    </message>
    <message>
        <source>It was already accepted or discarded.</source>
        <translation>Ya se aceptó o se descartó.</translation>
    </message>
    <message>
        <source>It was already undone, or it is more than two weeks old.</source>
        <translation>Ya se deshizo o tiene más de dos semanas.</translation>
    </message>
    <message>
        <source>Specify the note to change</source>
        <translation>Indica la nota que se debe cambiar</translation>
    </message>
    <message>
        <source>Pass the path argument.</source>
        <translation>Pasa el argumento path.</translation>
    </message>
    <message>
        <source>Read the note before you change it</source>
        <translation>Lee la nota antes de cambiarla</translation>
    </message>
    <message>
        <source>Call memory_get, then pass the hash from its answer as ifHash.</source>
        <translation>Llama a memory_get y pasa el hash de su respuesta como ifHash.</translation>
    </message>
    <message>
        <source>Ask the user to review them in Scrubjay, on the Agents page.</source>
        <translation>Pide al usuario que los revise en Scrubjay, en la página Agentes.</translation>
    </message>
    <message>
        <source>The added text has since been changed or removed.</source>
        <translation>Desde entonces se ha cambiado o borrado el texto añadido.</translation>
    </message>
    <message>
        <source>Delete the text yourself if you do not want it.</source>
        <translation>Borra el texto tú si no lo quieres.</translation>
    </message>
    <message>
        <source>{name} has changed since you read it</source>
        <translation>{name} ha cambiado desde que la leíste</translation>
    </message>
    <message>
        <source>{n} proposed changes are already waiting for the user</source>
        <translation>Ya hay {n} cambios propuestos que esperan al usuario</translation>
    </message>
    <message>
        <source>{file} has changed since Scrubjay wrote to it</source>
        <translation>{file} ha cambiado desde que Scrubjay escribió en ella</translation>
    </message>
    <message>
        <source>Allow writing to the file, then try again.</source>
        <translation>Permite escribir en el archivo y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>{file} is write-protected</source>
        <translation>{file} está protegido contra escritura</translation>
    </message>
    <message>
        <source>Agents could not start Scrubjay later</source>
        <translation>Los agentes no podrían iniciar Scrubjay más adelante</translation>
    </message>
    <message>
        <source>The path contains a quotation mark, a line break, or one of the characters %, $ and `, which Windows would change.</source>
        <translation>La ruta contiene unas comillas, un salto de línea o uno de los caracteres %, $ y `, que Windows cambiaría.</translation>
    </message>
    <message>
        <source>Rename the folder or choose another one.</source>
        <translation>Cambia el nombre de la carpeta o elige otra.</translation>
    </message>
    <message>
        <source>Scrubjay cannot write a hook with the path {path}</source>
        <translation>Scrubjay no puede escribir un hook con la ruta {path}</translation>
    </message>
    <message>
        <source>Scrubjay can ask {name} to write notes only after it has compacted a conversation, not before.</source>
        <translation>Scrubjay solo puede pedir a {name} que escriba notas después de compactar una conversación, no antes.</translation>
    </message>
    <message>
        <source>Scrubjay cannot add notes to your questions to {name}, but {name} can search the notes itself.</source>
        <translation>Scrubjay no puede añadir notas a las preguntas que haces a {name}, pero {name} puede buscarlas por su cuenta.</translation>
    </message>
    <message>
        <source>Restart Codex so that it can use your notes. Then enter /hooks in Codex and trust the hooks; until you do, it does not run them.</source>
        <translation>Reinicia Codex para que pueda usar tus notas. Después escribe /hooks en Codex y confía en los hooks; hasta entonces no los ejecuta.</translation>
    </message>
    <message>
        <source>Scrubjay cannot add hooks to {name}, so {name} finds notes only when it decides to search.</source>
        <translation>Scrubjay no puede añadir hooks a {name}, así que {name} solo encuentra notas cuando decide buscar.</translation>
    </message>
    <message>
        <source>Scrubjay cannot add instructions that apply to all projects in {name}.</source>
        <translation>Scrubjay no puede añadir a {name} instrucciones para todos los proyectos.</translation>
    </message>
    <message>
        <source>{name} itself asks its agent to write notes before it compacts a conversation.</source>
        <translation>{name} ya pide por sí mismo a su agente que escriba notas antes de compactar una conversación.</translation>
    </message>
    <message>
        <source>The file is too large.</source>
        <translation>El archivo es demasiado grande.</translation>
    </message>
    <message>
        <source>Choose a name without line breaks and {signs}, and without a space or dot at an end.</source>
        <translation>Elige un nombre sin saltos de línea ni {signs}, y sin espacio ni punto en los extremos.</translation>
    </message>
    <message>
        <source>Some systems cannot store a file or folder named {name}.</source>
        <translation>Algunos sistemas no pueden guardar un archivo o una carpeta con el nombre {name}.</translation>
    </message>
    <message>
        <source>The results were not read again, because that took too long.</source>
        <translation>Los resultados no se han releído porque tardaba demasiado.</translation>
    </message>
    <message>
        <source>The result reader {name} stopped unexpectedly. The results are shown as they were found.</source>
        <translation>El lector de resultados {name} se detuvo inesperadamente. Los resultados se muestran tal como se encontraron.</translation>
    </message>
    <message>
        <source>The results were not read again, because Scrubjay is paused.</source>
        <translation>Los resultados no se han releído porque Scrubjay está en pausa.</translation>
    </message>
    <message>
        <source>The results were not read again, to save the battery.</source>
        <translation>Los resultados no se han releído para ahorrar batería.</translation>
    </message>
    <message>
        <source>The pattern {pattern} cannot be used. Check its brackets, and remove any backslash at its end.</source>
        <translation>El patrón {pattern} no se puede usar. Revisa los corchetes y, si termina en una barra invertida, quítala.</translation>
    </message>
    <message>
        <source>The file is empty</source>
        <translation>El archivo está vacío</translation>
    </message>
    <message>
        <source>{broken}. Scrubjay continues to use the previous settings.</source>
        <translation>{broken}. Scrubjay sigue usando los ajustes anteriores.</translation>
    </message>
    <message>
        <source>{reason}. Scrubjay is using the default settings.</source>
        <translation>{reason}. Scrubjay está usando los ajustes habituales.</translation>
    </message>
    <message>
        <source>To start over, write {empty} to the file.</source>
        <translation>Para empezar de nuevo, escribe {empty} en el archivo.</translation>
    </message>
    <message>
        <source>{complaint}. Scrubjay is using the default value.</source>
        <translation>{complaint}. Scrubjay está usando el valor habitual.</translation>
    </message>
    <message>
        <source>The file contains characters that Scrubjay cannot read</source>
        <translation>El archivo contiene letras que Scrubjay no puede leer</translation>
    </message>
    <message>
        <source>The file must begin with a curly bracket, not with {found}</source>
        <translation>El archivo debe empezar por una llave de apertura, no por {found}</translation>
    </message>
    <message>
        <source>This key appears more than once. Scrubjay is using the last value.</source>
        <translation>Esta clave aparece más de una vez. Scrubjay está usando el último valor.</translation>
    </message>
    <message>
        <source>{complaint}. Scrubjay ignores this value.</source>
        <translation>{complaint}. Scrubjay omite este valor.</translation>
    </message>
    <message>
        <source>{complaint}. Scrubjay is using {used} instead.</source>
        <translation>{complaint}. Scrubjay está usando {used} en su lugar.</translation>
    </message>
    <message>
        <source>{wanted} is already in use or is not allowed in a file name. Scrubjay is using {used} instead.</source>
        <translation>{wanted} ya está en uso o no sirve como nombre de archivo. Scrubjay está usando {used} en su lugar.</translation>
    </message>
    <message>
        <source>This is not a regular file</source>
        <translation>Esto no es un archivo corriente</translation>
    </message>
    <message>
        <source>The file cannot be read ({reason})</source>
        <translation>No se puede leer el archivo ({reason})</translation>
    </message>
    <message>
        <source>The file has a mistake in {error}</source>
        <translation>El archivo tiene un error en la {error}</translation>
    </message>
    <message>
        <source>The value must be {wanted}, not {found}</source>
        <translation>El valor debe ser {wanted}, no {found}</translation>
    </message>
    <message>
        <source>The value must be {wanted}</source>
        <translation>El valor debe ser {wanted}</translation>
    </message>
    <message>
        <source>The value contains characters that Scrubjay cannot read</source>
        <translation>El valor contiene letras que Scrubjay no puede leer</translation>
    </message>
    <message>
        <source>Add to today&apos;s note</source>
        <translation>Añadir a la nota de hoy</translation>
    </message>
    <message>
        <source>Scrubjay keeps decisions, preferences and similar facts from your messages to agents.</source>
        <translation>Scrubjay conserva decisiones, preferencias y datos parecidos de tus mensajes a los agentes.</translation>
    </message>
    <message>
        <source>Scrubjay asks agents to write notes when a long conversation is about to be shortened.</source>
        <translation>Scrubjay pide a los agentes que tomen notas cuando una conversación larga está a punto de acortarse.</translation>
    </message>
    <message>
        <source>Suggest additions to MEMORY.md</source>
        <translation>Proponer añadidos a MEMORY.md</translation>
    </message>
    <message>
        <source>Scrubjay records which passages agents find often, and suggests adding them to MEMORY.md.</source>
        <translation>Scrubjay registra qué fragmentos encuentran los agentes a menudo y propone añadirlos a MEMORY.md.</translation>
    </message>
    <message>
        <source>Add suggestions without asking me</source>
        <translation>Añadir las propuestas sin preguntarme</translation>
    </message>
    <message>
        <source>When to look for suggestions</source>
        <translation>Cuándo buscar propuestas</translation>
    </message>
    <message>
        <source>Scrubjay does not add text to MEMORY.md beyond this length.</source>
        <translation>Scrubjay no añade texto a MEMORY.md más allá de esta longitud.</translation>
    </message>
    <message>
        <source>None (search by words only)</source>
        <translation>Nadie (buscar solo por palabras)</translation>
    </message>
    <message>
        <source>Best available</source>
        <translation>El mejor disponible</translation>
    </message>
    <message>
        <source>Applies to OpenAI, Gemini and Voyage. When this is on, reading many notes takes hours instead of minutes.</source>
        <translation>Se aplica a OpenAI, Gemini y Voyage. Si está activado, leer muchas notas tarda horas en vez de minutos.</translation>
    </message>
    <message>
        <source>Enter the address of a service that works like OpenAI. Leave this empty to use OpenAI.</source>
        <translation>Escribe la dirección de un servicio que funcione como OpenAI. Déjalo vacío para usar OpenAI.</translation>
    </message>
    <message>
        <source>Leave this empty to use Scrubjay&apos;s own folder.</source>
        <translation>Déjalo vacío para usar la carpeta de Scrubjay.</translation>
    </message>
    <message>
        <source>Amount of text the language helper reads at once</source>
        <translation>Cantidad de texto que el ayudante de idioma lee a la vez</translation>
    </message>
    <message>
        <source>A value of 4,096 is about 3,000 words. The language helper&apos;s own limit still applies.</source>
        <translation>4096 son unas 3000 palabras. El límite propio del ayudante de idioma sigue vigente.</translation>
    </message>
    <message>
        <source>Search images and recordings in additional folders</source>
        <translation>Buscar imágenes y grabaciones en las carpetas adicionales</translation>
    </message>
    <message>
        <source>Requires Gemini with its language helper gemini-embedding-2-preview, and “Fallback” set to “None”.</source>
        <translation>Requiere Gemini con su ayudante de idioma gemini-embedding-2-preview, y «Quién lo sustituye» en «Nadie».</translation>
    </message>
    <message>
        <source>Leave this empty to use Scrubjay&apos;s own folder. {agentId} stands for the ID of the notes folder.</source>
        <translation>Déjalo vacío para usar la carpeta de Scrubjay. {agentId} representa el identificador de la carpeta de notas.</translation>
    </message>
    <message>
        <source>Scrubjay reads notes in passages of about this size. A value of 400 is about 300 words.</source>
        <translation>Scrubjay lee las notas en fragmentos de más o menos este tamaño. 400 son unas 300 palabras.</translation>
    </message>
    <message>
        <source>Overlap between passages</source>
        <translation>Texto común entre dos fragmentos</translation>
    </message>
    <message>
        <source>A value of 80 is about 60 words. The overlap must be smaller than the size of a passage.</source>
        <translation>80 son unas 60 palabras. Debe ser menor que el tamaño de un fragmento.</translation>
    </message>
    <message>
        <source>Check for changes when Scrubjay starts</source>
        <translation>Buscar cambios al iniciar Scrubjay</translation>
    </message>
    <message>
        <source>Check for changes when I search</source>
        <translation>Buscar cambios cuando busco</translation>
    </message>
    <message>
        <source>Finds notes that were just saved, even if Scrubjay has not noticed the changes yet.</source>
        <translation>Encuentra notas recién guardadas, aunque Scrubjay aún no haya notado los cambios.</translation>
    </message>
    <message>
        <source>Notice changes immediately</source>
        <translation>Notar los cambios al instante</translation>
    </message>
    <message>
        <source>Scrubjay watches your folders. When this is off, Scrubjay finds changes at the next check.</source>
        <translation>Scrubjay vigila tus carpetas. Si está desactivado, encuentra los cambios en la próxima comprobación.</translation>
    </message>
    <message>
        <source>Prevents Scrubjay from reading a note while it is still being written.</source>
        <translation>Evita que Scrubjay lea una nota mientras aún se escribe.</translation>
    </message>
    <message>
        <source>Use this for folders that cannot be watched. Enter 0 to turn off these checks.</source>
        <translation>Úsalo para las carpetas que no se pueden vigilar. Escribe 0 para desactivar estas comprobaciones.</translation>
    </message>
    <message>
        <source>Read pictures on battery power</source>
        <translation>Leer imágenes al usar la batería</translation>
    </message>
    <message>
        <source>Reading pictures uses a lot of power. When this is off, Scrubjay waits until the computer is plugged in.</source>
        <translation>Leer imágenes consume mucha energía. Si está desactivado, Scrubjay espera a que el equipo esté enchufado.</translation>
    </message>
    <message>
        <source>Maximum number of remembered passages</source>
        <translation>Número máximo de fragmentos recordados</translation>
    </message>
    <message>
        <source>Days to keep earlier versions of notes</source>
        <translation>Días que se conservan las versiones anteriores de las notas</translation>
    </message>
    <message>
        <source>Lets Scrubjay show what changed in a note. Enter 0 to keep no earlier versions.</source>
        <translation>Permite que Scrubjay muestre qué ha cambiado en una nota. Escribe 0 para no conservar versiones anteriores.</translation>
    </message>
    <message>
        <source>Search conversations with agents</source>
        <translation>Buscar en conversaciones con agentes</translation>
    </message>
    <message>
        <source>Search my notes</source>
        <translation>Buscar en mis notas</translation>
    </message>
    <message>
        <source>When this is off, Scrubjay does not read or search any notes.</source>
        <translation>Si está desactivado, Scrubjay no lee notas ni busca en ellas.</translation>
    </message>
    <message>
        <source>Enter one source per line: “memory” for notes or “sessions” for conversations with agents.</source>
        <translation>Escribe una fuente por línea: «memory» para las notas o «sessions» para las conversaciones con agentes.</translation>
    </message>
    <message>
        <source>Additional folders and files</source>
        <translation>Carpetas y archivos adicionales</translation>
    </message>
    <message>
        <source>Enter one path per line. Scrubjay searches these folders and files together with each of your folders.</source>
        <translation>Escribe una ruta por línea. Scrubjay busca en estas carpetas y archivos junto con cada una de tus carpetas.</translation>
    </message>
    <message>
        <source>Leave this empty to use the service&apos;s default language helper.</source>
        <translation>Déjalo vacío para usar el ayudante de idioma habitual del servicio.</translation>
    </message>
    <message>
        <source>Adjusted for each search</source>
        <translation>Ajustados a cada búsqueda</translation>
    </message>
    <message>
        <source>By rank only</source>
        <translation>Solo por su posición</translation>
    </message>
    <message>
        <source>When one is installed</source>
        <translation>Si hay un lector de resultados instalado</translation>
    </message>
    <message>
        <source>Prefer varied results</source>
        <translation>Preferir resultados variados</translation>
    </message>
    <message>
        <source>Results that repeat a better result move down.</source>
        <translation>Los resultados que repiten otro mejor bajan.</translation>
    </message>
    <message>
        <source>Balance between best and varied results</source>
        <translation>Equilibrio entre los mejores resultados y los variados</translation>
    </message>
    <message>
        <source>At 1, only the quality of the results counts. At 0, only their variety counts.</source>
        <translation>Con 1 solo cuenta la calidad de los resultados. Con 0 solo cuenta su variedad.</translation>
    </message>
    <message>
        <source>Prefer newer notes</source>
        <translation>Preferir las notas más nuevas</translation>
    </message>
    <message>
        <source>Used only when “Prefer newer notes” is on.</source>
        <translation>Solo se usa si «Preferir las notas más nuevas» está activado.</translation>
    </message>
    <message>
        <source>When this is off, Scrubjay searches by meaning alone. Without a language helper, it searches by words alone.</source>
        <translation>Si está desactivado, Scrubjay busca solo por significado o, si no hay ayudante de idioma, solo por palabras.</translation>
    </message>
    <message>
        <source>The two weights below apply only to “With fixed weights”.</source>
        <translation>Los dos pesos de abajo solo se aplican a «Con pesos fijos».</translation>
    </message>
    <message>
        <source>Enter a number from 0 to 1.</source>
        <translation>Escribe un número de 0 a 1.</translation>
    </message>
    <message>
        <source>Maximum number of results</source>
        <translation>Número máximo de resultados</translation>
    </message>
    <message>
        <source>Applies to agents and the command line. The window shows more results.</source>
        <translation>Se aplica a los agentes y a la línea de órdenes. La ventana muestra más resultados.</translation>
    </message>
    <message>
        <source>Minimum certainty of results</source>
        <translation>Certeza mínima de los resultados</translation>
    </message>
    <message>
        <source>Enter a number from 0 to 1. Notes that contain all the words of a search are still shown.</source>
        <translation>Escribe un número de 0 a 1. Las notas que contienen todas las palabras de una búsqueda se muestran igualmente.</translation>
    </message>
    <message>
        <source>Time limit for a search, in milliseconds</source>
        <translation>Tiempo máximo de una búsqueda, en milisegundos</translation>
    </message>
    <message>
        <source>When the time is up, Scrubjay shows the results it has found so far.</source>
        <translation>Cuando se agota el tiempo, Scrubjay muestra los resultados encontrados hasta entonces.</translation>
    </message>
    <message>
        <source>Read the first results again</source>
        <translation>Releer los primeros resultados</translation>
    </message>
    <message>
        <source>A result reader finds more of what is said in other words. It is optional and has to be downloaded.</source>
        <translation>Un lector de resultados encuentra más de lo que está dicho con otras palabras. Es opcional y hay que descargarlo.</translation>
    </message>
    <message>
        <source>After my review</source>
        <translation>Tras mi revisión</translation>
    </message>
    <message>
        <source>A stopped language helper uses no memory. It starts again when needed.</source>
        <translation>Un ayudante de idioma detenido no ocupa memoria. Vuelve a iniciarse cuando hace falta.</translation>
    </message>
    <message>
        <source>Days to keep questions from agents</source>
        <translation>Días que se conservan las preguntas de los agentes</translation>
    </message>
    <message>
        <source>Scrubjay records which agent asked what, and which notes the agent received. Enter 0 to keep no records.</source>
        <translation>Scrubjay registra qué preguntó cada agente y qué notas recibió. Escribe 0 para no conservar nada.</translation>
    </message>
    <message>
        <source>Notify me about new versions</source>
        <translation>Avisarme de versiones nuevas</translation>
    </message>
    <message>
        <source>Scrubjay checks once a day. It never installs anything by itself.</source>
        <translation>Scrubjay lo comprueba una vez al día. Nunca instala nada por sí solo.</translation>
    </message>
    <message>
        <source>{path} has an unexpected value in {place}</source>
        <translation>{path} tiene un valor inesperado en {place}</translation>
    </message>
    <message>
        <source>Gemini with its language helper “{model}-preview”</source>
        <translation>Gemini con su ayudante de idioma «{model}-preview»</translation>
    </message>
    <message>
        <source>The file does not contain a canvas or a drawing.</source>
        <translation>El archivo no contiene un lienzo ni un dibujo.</translation>
    </message>
    <message>
        <source>Encrypted mail in this file could not be read.</source>
        <translation>No se ha podido leer el correo cifrado de este archivo.</translation>
    </message>
    <message>
        <source>Scrubjay has not read this picture yet.</source>
        <translation>Scrubjay todavía no ha leído esta imagen.</translation>
    </message>
    <message>
        <source>The picture needs more memory than Scrubjay allows for one picture.</source>
        <translation>La imagen necesita más memoria de la que Scrubjay permite para una imagen.</translation>
    </message>
    <message>
        <source>The picture is too small to contain text.</source>
        <translation>La imagen es demasiado pequeña para contener texto.</translation>
    </message>
    <message>
        <source>The text of {n} {n:page|pages} comes from text recognition and may contain errors.</source>
        <translation>El texto de {n} {n:página|páginas} procede del reconocimiento de texto y puede contener errores.</translation>
    </message>
    <message>
        <source>The file is not a picture in a format that Scrubjay can read.</source>
        <translation>El archivo no es una imagen en un formato que Scrubjay pueda leer.</translation>
    </message>
    <message>
        <source>The program that reads pictures crashed.</source>
        <translation>El programa que lee las imágenes ha fallado.</translation>
    </message>
    <message>
        <source>Reading the picture took more than {n} seconds.</source>
        <translation>Leer la imagen ha tardado más de {n} segundos.</translation>
    </message>
    <message>
        <source>The picture is damaged.</source>
        <translation>La imagen está dañada.</translation>
    </message>
    <message>
        <source>Scrubjay is adjusting to the language helper ({percent}%).</source>
        <translation>Scrubjay se está adaptando al ayudante de idioma ({percent} %).</translation>
    </message>
    <message>
        <source>This language helper returns the same numbers for every text</source>
        <translation>Este ayudante de idioma devuelve los mismos números para todos los textos</translation>
    </message>
    <message>
        <source>With it, search by meaning cannot tell your notes apart.</source>
        <translation>Con él, la búsqueda por significado no puede distinguir tus notas.</translation>
    </message>
    <message>
        <source>In a test with short texts, this language helper could not tell answers from other sentences. Search by meaning would get worse with it.</source>
        <translation>En una prueba con textos cortos, este ayudante de idioma no supo distinguir las respuestas de otras frases. La búsqueda por significado empeoraría con él.</translation>
    </message>
    <message>
        <source>The Python package {package} is not installed.</source>
        <translation>El paquete de Python {package} no está instalado.</translation>
    </message>
    <message>
        <source>The program that runs the language helper cannot be loaded ({why}).</source>
        <translation>No se puede cargar el programa que ejecuta el ayudante de idioma ({why}).</translation>
    </message>
    <message>
        <source>Install it with “pipx inject scrubjay {package}” or “pip install {package}”, then restart Scrubjay.</source>
        <translation>Instálalo con «pipx inject scrubjay {package}» o «pip install {package}» y reinicia Scrubjay.</translation>
    </message>
    <message>
        <source>Install the Microsoft Visual C++ Redistributable (x64), then restart Scrubjay. If that does not help, install Scrubjay again.</source>
        <translation>Instala Microsoft Visual C++ Redistributable (x64) y reinicia Scrubjay. Si no sirve, vuelve a instalar Scrubjay.</translation>
    </message>
    <message>
        <source>The processor of this computer lacks instructions that the program needs.</source>
        <translation>El procesador de este equipo no tiene instrucciones que el programa necesita.</translation>
    </message>
    <message>
        <source>The result reader is not responding</source>
        <translation>El lector de resultados no responde</translation>
    </message>
    <message>
        <source>The result reader gave no number for a text.</source>
        <translation>El lector de resultados no dio ningún número para un texto.</translation>
    </message>
    <message>
        <source>The fallback does not work either. {reason}</source>
        <translation>El ayudante que lo sustituye tampoco funciona. {reason}</translation>
    </message>
    <message>
        <source>It is a result reader, which only reads the first results again.</source>
        <translation>Es un lector de resultados, que solo relee los primeros resultados.</translation>
    </message>
    <message>
        <source>Choose a language helper in Settings under “Language helpers”.</source>
        <translation>Elige un ayudante de idioma en Ajustes, en «Ayudantes de idioma».</translation>
    </message>
    <message>
        <source>{name} cannot be used for search by meaning</source>
        <translation>{name} no se puede usar para buscar por significado</translation>
    </message>
    <message>
        <source>The entry that starts Scrubjay was removed or changed.</source>
        <translation>Se ha quitado o cambiado la entrada que inicia Scrubjay.</translation>
    </message>
    <message>
        <source>Scrubjay&apos;s hooks were removed or changed.</source>
        <translation>Se han quitado o cambiado los hooks de Scrubjay.</translation>
    </message>
    <message>
        <source>The text about your notes was removed or changed.</source>
        <translation>Se ha quitado o cambiado el texto sobre tus notas.</translation>
    </message>
    <message>
        <source>Its Scrubjay extension and its settings both start Scrubjay.</source>
        <translation>Tanto su extensión de Scrubjay como sus ajustes inician Scrubjay.</translation>
    </message>
    <message>
        <source>Its Scrubjay extension and its settings both contain Scrubjay&apos;s hooks.</source>
        <translation>Los hooks de Scrubjay están tanto en su extensión de Scrubjay como en sus ajustes.</translation>
    </message>
    <message>
        <source>Its Scrubjay extension and its instructions both contain the text about your notes.</source>
        <translation>El texto sobre tus notas está tanto en su extensión de Scrubjay como en sus instrucciones.</translation>
    </message>
    <message>
        <source>The language helper starts when it is needed.</source>
        <translation>El ayudante de idioma se inicia cuando hace falta.</translation>
    </message>
    <message>
        <source>The description is empty</source>
        <translation>La descripción está vacía</translation>
    </message>
    <message>
        <source>Describe the folder in one or two sentences.</source>
        <translation>Describe la carpeta en una o dos frases.</translation>
    </message>
    <message>
        <source>No result reader is installed</source>
        <translation>No hay ningún lector de resultados instalado</translation>
    </message>
    <message>
        <source>Reading results again is turned off in the settings</source>
        <translation>La relectura de resultados está desactivada en los ajustes</translation>
    </message>
    <message>
        <source>Turn on “Read the first results again” in Settings, or set `memorySearch.query.reader` to `auto`.</source>
        <translation>Activa «Releer los primeros resultados» en Ajustes o cambia `memorySearch.query.reader` a `auto`.</translation>
    </message>
    <message>
        <source>Download one in Settings under “Language helpers”, or run `scrubjay models download {id}`.</source>
        <translation>Descarga uno en Ajustes, en «Ayudantes de idioma», o ejecuta `scrubjay models download {id}`.</translation>
    </message>
    <message>
        <source>The settings file can be used again.</source>
        <translation>El archivo de ajustes se puede usar de nuevo.</translation>
    </message>
    <message>
        <source>Scrubjay will read your notes again once reading is resumed. Until it has finished, search works as before.</source>
        <translation>Scrubjay volverá a leer tus notas cuando se reanude la lectura. Hasta que termine, la búsqueda funciona como antes.</translation>
    </message>
    <message>
        <source>Your notes have to be read again because settings changed ({keys})</source>
        <translation>Hay que volver a leer tus notas porque han cambiado los ajustes ({keys})</translation>
    </message>
    <message>
        <source>Settings, pinned searches and other app data</source>
        <translation>Ajustes, búsquedas fijadas y otros datos de la aplicación</translation>
    </message>
    <message>
        <source>Search indexes, and earlier versions of notes</source>
        <translation>Índices de búsqueda y versiones anteriores de las notas</translation>
    </message>
    <message>
        <source>Downloaded language helpers</source>
        <translation>Ayudantes de idioma descargados</translation>
    </message>
    <message>
        <source>Service keys in the keychain</source>
        <translation>Claves de servicios en el llavero</translation>
    </message>
    <message>
        <source>Start when you log in</source>
        <translation>Inicio automático al iniciar sesión</translation>
    </message>
    <message>
        <source>Connections in the settings of agents</source>
        <translation>Conexiones en los ajustes de los agentes</translation>
    </message>
    <message>
        <source>Log files and crash reports</source>
        <translation>Registros e informes de fallos</translation>
    </message>
    <message>
        <source>Copies of notes from before Scrubjay changed them</source>
        <translation>Copias de las notas anteriores a los cambios de Scrubjay</translation>
    </message>
    <message>
        <source>{file} could not be deleted: {reason}.</source>
        <translation>No se ha podido borrar {file}: {reason}.</translation>
    </message>
    <message>
        <source>Your notes, including imported notes, stay where they are.</source>
        <translation>Tus notas, también las importadas, se quedan donde están.</translation>
    </message>
    <message>
        <source>{name} may still be connected to Scrubjay. {problem}</source>
        <translation>Es posible que {name} siga conectado a Scrubjay. {problem}</translation>
    </message>
    <message>
        <source>macOS does not allow this; check Privacy &amp; Security in System Settings, and whether the file is locked</source>
        <translation>macOS no lo permite; comprueba Privacidad y seguridad en Ajustes del Sistema, y si el archivo está bloqueado</translation>
    </message>
    <message>
        <source>The system does not allow this operation</source>
        <translation>El sistema no permite esta operación</translation>
    </message>
    <message>
        <source>“Search my notes” is turned off in the settings.</source>
        <translation>«Buscar en mis notas» está desactivado en los ajustes.</translation>
    </message>
    <message>
        <source>The setting {key} turns off note search.</source>
        <translation>El ajuste {key} desactiva la búsqueda en las notas.</translation>
    </message>
    <message>
        <source>Change {key} in the settings file.</source>
        <translation>Cambia {key} en el archivo de ajustes.</translation>
    </message>
    <message>
        <source>A note contains a password or key</source>
        <translation>Hay una contraseña o clave en una nota</translation>
    </message>
    <message>
        <source>Line {line} of {path} contains what looks like a {what}.</source>
        <translation>La línea {line} de {path} contiene lo que parece una {what}.</translation>
    </message>
    <message>
        <source>Change the password or key at the service that it belongs to. Anyone who has read the note may have seen it.</source>
        <translation>Cambia la contraseña o clave en el servicio al que pertenece. Quien haya leído la nota puede haberla visto.</translation>
    </message>
    <message>
        <source>Line {line} of {path} links to {target}, which does not exist.</source>
        <translation>La línea {line} de {path} enlaza con {target}, que no existe.</translation>
    </message>
    <message>
        <source>Correct the link, or create the note.</source>
        <translation>Corrige el enlace o crea la nota.</translation>
    </message>
    <message>
        <source>{path} and {other} have the same text.</source>
        <translation>{path} y {other} tienen el mismo texto.</translation>
    </message>
    <message>
        <source>The same paragraph appears twice</source>
        <translation>El mismo párrafo aparece dos veces</translation>
    </message>
    <message>
        <source>Line {line} of {path} repeats line {other_line} of {other}.</source>
        <translation>La línea {line} de {path} repite la línea {other_line} de {other}.</translation>
    </message>
    <message>
        <source>Keep the paragraph in only one place. Otherwise, the copies may contradict each other later.</source>
        <translation>Deja el párrafo en un solo sitio. Si no, las copias podrían contradecirse más adelante.</translation>
    </message>
    <message>
        <source>A note has a conflict copy</source>
        <translation>Una nota tiene una copia en conflicto</translation>
    </message>
    <message>
        <source>A sync program seems to have left {path} beside {other}. {difference}</source>
        <translation>Parece que un programa de sincronización dejó {path} junto a {other}. {difference}</translation>
    </message>
    <message>
        <source>Add what you need from the copy to the note, then delete the copy.</source>
        <translation>Añade a la nota lo que necesites de la copia y después borra la copia.</translation>
    </message>
    <message>
        <source>Days without a daily note</source>
        <translation>Días sin nota diaria</translation>
    </message>
    <message>
        <source>A file is not searched</source>
        <translation>Hay un archivo en el que no se busca</translation>
    </message>
    <message>
        <source>Files that are not notes</source>
        <translation>Archivos que no son notas</translation>
    </message>
    <message>
        <source>Excluded on purpose</source>
        <translation>Omitido a propósito</translation>
    </message>
    <message>
        <source>A folder is missing</source>
        <translation>Falta una carpeta</translation>
    </message>
    <message>
        <source>A folder cannot be searched</source>
        <translation>No se puede buscar en una carpeta</translation>
    </message>
    <message>
        <source>Not all notes are up to date</source>
        <translation>No todas las notas están al día</translation>
    </message>
    <message>
        <source>Check for changes now.</source>
        <translation>Busca cambios ahora.</translation>
    </message>
    <message>
        <source>A setting cannot be used</source>
        <translation>Un ajuste no se puede usar</translation>
    </message>
    <message>
        <source>Correct the value in the settings. Until then, Scrubjay ignores it.</source>
        <translation>Corrige el valor en los ajustes. Hasta entonces, Scrubjay no lo tiene en cuenta.</translation>
    </message>
    <message>
        <source>Search by meaning is off</source>
        <translation>La búsqueda por significado está desactivada</translation>
    </message>
    <message>
        <source>The fallback answers instead of {provider}</source>
        <translation>Responde quien sustituye a {provider}</translation>
    </message>
    <message>
        <source>Search by meaning works. To use {provider} again, check the language helpers.</source>
        <translation>La búsqueda por significado funciona. Para volver a usar {provider}, revisa los ayudantes de idioma.</translation>
    </message>
    <message>
        <source>The connection to an agent has changed</source>
        <translation>La conexión con un agente ha cambiado</translation>
    </message>
    <message>
        <source>An update of the agent may have caused this. Connect the agent again on the Agents page or with `scrubjay connect {client}`. If you no longer want to see this message, disconnect the agent.</source>
        <translation>Puede deberse a una actualización del agente. Vuelve a conectarlo en la página Agentes o con `scrubjay connect {client}`. Para no ver más este aviso, desconecta el agente.</translation>
    </message>
    <message>
        <source>An agent is connected to Scrubjay twice</source>
        <translation>Un agente está conectado a Scrubjay por partida doble</translation>
    </message>
    <message>
        <source>To remove the copy in its settings, connect the agent again on the Agents page or with `scrubjay connect {client}`. To keep that copy instead, remove the Scrubjay extension in {agent}.</source>
        <translation>Para quitar la copia de sus ajustes, vuelve a conectar el agente en la página Agentes o con `scrubjay connect {client}`. Si prefieres conservar esa copia, quita la extensión de Scrubjay en {agent}.</translation>
    </message>
    <message>
        <source>You can enter a key that is kept only until you quit Scrubjay.</source>
        <translation>Puedes introducir una clave que solo se guarda hasta que salgas de Scrubjay.</translation>
    </message>
    <message>
        <source>The disk is nearly full</source>
        <translation>El disco está casi lleno</translation>
    </message>
    <message>
        <source>Leftover downloads</source>
        <translation>Restos de descargas</translation>
    </message>
    <message>
        <source>{name} is not on this computer.</source>
        <translation>{name} no está en este equipo.</translation>
    </message>
    <message>
        <source>There is nothing to undo</source>
        <translation>No hay nada que deshacer</translation>
    </message>
    <message>
        <source>Scrubjay has not imported any settings.</source>
        <translation>Scrubjay no ha importado ningún ajuste.</translation>
    </message>
    <message>
        <source>Scrubjay will keep your current setting.</source>
        <translation>Scrubjay conservará tu ajuste actual.</translation>
    </message>
    <message>
        <source>Sending at half the price is turned off until Scrubjay restarts</source>
        <translation>El envío a mitad de precio queda desactivado hasta que Scrubjay se reinicie</translation>
    </message>
    <message>
        <source>Scrubjay unexpectedly stopped reading your notes ({error}). Your notes are safe, and you can search those that were already read.</source>
        <translation>Scrubjay ha dejado de leer tus notas de forma inesperada ({error}). Tus notas están a salvo y puedes buscar en las que ya se leyeron.</translation>
    </message>
    <message>
        <source>Your notes are untouched. The damaged file was kept as {file}.</source>
        <translation>Tus notas están intactas. El archivo dañado se ha guardado como {file}.</translation>
    </message>
    <message>
        <source>{path} is not one of the notes</source>
        <translation>{path} no está entre las notas</translation>
    </message>
    <message>
        <source>{written} is not a service that needs a key</source>
        <translation>{written} no es un servicio que necesite una clave</translation>
    </message>
    <message>
        <source>Set “Address of another service” first, then try again.</source>
        <translation>Pon antes «Dirección de otro servicio» y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>{name} is not in the settings</source>
        <translation>{name} no está en los ajustes</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>Scrubjay is not allowed to write to this folder</source>
        <translation>Scrubjay no puede escribir en esta carpeta</translation>
    </message>
    <message>
        <source>Another program has just created {name}</source>
        <translation>Otro programa acaba de crear {name}</translation>
    </message>
    <message>
        <source>Scrubjay cannot write to {file}.</source>
        <translation>No se puede escribir en {file}.</translation>
    </message>
    <message>
        <source>You chose to skip this file until it changes. {reason}</source>
        <translation>Elegiste omitir este archivo hasta que cambie. {reason}</translation>
    </message>
    <message>
        <source>The settings file cannot be used</source>
        <translation>No se puede usar el archivo de ajustes</translation>
    </message>
    <message>
        <source>Reading is paused.</source>
        <translation>La lectura está en pausa.</translation>
    </message>
    <message>
        <source>The folder is too large for Scrubjay to check before it answers.</source>
        <translation>La carpeta es demasiado grande para que Scrubjay la revise antes de responder.</translation>
    </message>
    <message>
        <source>There is no such workspace</source>
        <translation>No existe esa carpeta de notas</translation>
    </message>
    <message>
        <source>There are no notes to search yet</source>
        <translation>Aún no hay notas en las que buscar</translation>
    </message>
    <message>
        <source>This token is too easy to guess</source>
        <translation>Este token es demasiado fácil de adivinar</translation>
    </message>
    <message>
        <source>Set {variable} to another value, or unset it.</source>
        <translation>Da otro valor a {variable}, o quítala.</translation>
    </message>
    <message>
        <source>Port {port} cannot be used</source>
        <translation>No se puede usar el puerto {port}</translation>
    </message>
    <message>
        <source>There is no prompt called {name}</source>
        <translation>No hay ninguna plantilla llamada {name}</translation>
    </message>
    <message>
        <source>An argument is missing for the prompt {name}: {names}</source>
        <translation>Falta un argumento de la plantilla {name}: {names}</translation>
    </message>
    <message>
        <source>{uri} is not a note</source>
        <translation>{uri} no es una nota</translation>
    </message>
    <message>
        <source>The address of a note has the form {address}.</source>
        <translation>La dirección de una nota tiene la forma {address}.</translation>
    </message>
    <message>
        <source>Pass the workspace argument.</source>
        <translation>Indica el argumento workspace.</translation>
    </message>
    <message>
        <source>{path} exists in more than one workspace: {names}.</source>
        <translation>{path} está en más de una carpeta de notas: {names}.</translation>
    </message>
    <message>
        <source>The notes cannot be searched right now</source>
        <translation>Ahora mismo no se puede buscar en las notas</translation>
    </message>
    <message>
        <source>Try again in a minute.</source>
        <translation>Vuelve a intentarlo en un minuto.</translation>
    </message>
    <message>
        <source>Scrubjay cannot read {path}</source>
        <translation>Scrubjay no puede leer {path}</translation>
    </message>
    <message>
        <source>Hidden files and folders are not read.</source>
        <translation>Los archivos y carpetas ocultos no se leen.</translation>
    </message>
    <message>
        <source>{path} is not a readable note</source>
        <translation>{path} no es una nota que se pueda leer</translation>
    </message>
    <message>
        <source>A language helper cannot be compared with itself</source>
        <translation>Un ayudante de idioma no se puede comparar consigo mismo</translation>
    </message>
    <message>
        <source>{name} is damaged</source>
        <translation>{name} está dañado</translation>
    </message>
    <message>
        <source>Choose another language helper.</source>
        <translation>Elige otro ayudante de idioma.</translation>
    </message>
    <message>
        <source>Choose a complete, uncompressed file whose name ends in .gguf.</source>
        <translation>Elige un archivo completo y sin comprimir cuyo nombre acabe en .gguf.</translation>
    </message>
    <message>
        <source>{name} is not a language helper that Scrubjay can use</source>
        <translation>{name} no es un ayudante de idioma que Scrubjay pueda usar</translation>
    </message>
    <message>
        <source>The file does not say what kind of language helper it is</source>
        <translation>El archivo no dice qué clase de ayudante de idioma es</translation>
    </message>
    <message>
        <source>Update Scrubjay, or use a file that you trust.</source>
        <translation>Actualiza Scrubjay o usa un archivo del que te fíes.</translation>
    </message>
    <message>
        <source>Install Scrubjay again.</source>
        <translation>Vuelve a instalar Scrubjay.</translation>
    </message>
    <message>
        <source>Downloads are turned off</source>
        <translation>Las descargas están desactivadas</translation>
    </message>
    <message>
        <source>{host} restricts access to this language helper</source>
        <translation>{host} restringe el acceso a este ayudante de idioma</translation>
    </message>
    <message>
        <source>{host} does not have this language helper</source>
        <translation>{host} no tiene este ayudante de idioma</translation>
    </message>
    <message>
        <source>The file {name} on the server is not the one that Scrubjay expects</source>
        <translation>El archivo {name} del servidor no es el que Scrubjay espera</translation>
    </message>
    <message>
        <source>{name} cannot be downloaded</source>
        <translation>No se puede descargar {name}</translation>
    </message>
    <message>
        <source>There is not enough space on the disk</source>
        <translation>No hay espacio suficiente en el disco</translation>
    </message>
    <message>
        <source>Free some space and try again.</source>
        <translation>Libera espacio y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>{n} MB of free space is needed in {folder}.</source>
        <translation>Hacen falta {n} MB libres en {folder}.</translation>
    </message>
    <message>
        <source>{file} cannot be used</source>
        <translation>No se puede usar {file}</translation>
    </message>
    <message>
        <source>Deleted {name} ({file}).</source>
        <translation>Se ha borrado {name} ({file}).</translation>
    </message>
    <message>
        <source>Deleted the unfinished download of {name}.</source>
        <translation>Se ha borrado lo que había llegado de {name}.</translation>
    </message>
    <message>
        <source>Delete the file yourself if you do not need it.</source>
        <translation>Borra tú el archivo si no lo necesitas.</translation>
    </message>
    <message>
        <source>{name} is not on this computer</source>
        <translation>{name} no está en este equipo</translation>
    </message>
    <message>
        <source>{name} cannot be used</source>
        <translation>No se puede usar {name}</translation>
    </message>
    <message>
        <source>Scrubjay will not delete {name}</source>
        <translation>Scrubjay no borrará {name}</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}.</source>
        <translation>No se puede leer {name}: {reason}.</translation>
    </message>
    <message>
        <source>{name} is already being downloaded</source>
        <translation>{name} ya se está descargando</translation>
    </message>
    <message>
        <source>The server keeps redirecting Scrubjay</source>
        <translation>El servidor manda a Scrubjay de una dirección a otra sin fin</translation>
    </message>
    <message>
        <source>{url} is not a web address</source>
        <translation>{url} no es una dirección web</translation>
    </message>
    <message>
        <source>You have to accept the terms of {name} first</source>
        <translation>Antes tienes que aceptar las condiciones de {name}</translation>
    </message>
    <message>
        <source>The language helper could not be downloaded</source>
        <translation>No se ha podido descargar el ayudante de idioma</translation>
    </message>
    <message>
        <source>{n} MB of free space is needed in {folder}</source>
        <translation>Hacen falta {n} MB libres en {folder}</translation>
    </message>
    <message>
        <source>More space is needed in {folder}</source>
        <translation>Hace falta más espacio en {folder}</translation>
    </message>
    <message>
        <source>{wanted}, but only {n} MB is free.</source>
        <translation>{wanted}, pero solo quedan {n} MB.</translation>
    </message>
    <message>
        <source>The language helper cannot be downloaded</source>
        <translation>No se puede descargar el ayudante de idioma</translation>
    </message>
    <message>
        <source>The server sent the file from the beginning again</source>
        <translation>El servidor ha vuelto a enviar el archivo desde el principio</translation>
    </message>
    <message>
        <source>The earlier version of the note is saved in {file}.</source>
        <translation>La versión anterior de la nota está guardada en {file}.</translation>
    </message>
    <message>
        <source>{name} cannot be changed</source>
        <translation>No se puede cambiar {name}</translation>
    </message>
    <message>
        <source>Search by meaning is not ready yet</source>
        <translation>La búsqueda por significado aún no está lista</translation>
    </message>
    <message>
        <source>QMD could not read the changed notes. {message}</source>
        <translation>QMD no pudo leer las notas cambiadas. {message}</translation>
    </message>
    <message>
        <source>{path} cannot be shown</source>
        <translation>{path} no se puede mostrar</translation>
    </message>
    <message>
        <source>QMD is reading the notes for the first time.</source>
        <translation>QMD está leyendo las notas por primera vez.</translation>
    </message>
    <message>
        <source>QMD exited with code {code}{words}.</source>
        <translation>QMD ha terminado con el código {code}{words}.</translation>
    </message>
    <message>
        <source>QMD could not be started ({reason}).</source>
        <translation>No se ha podido iniciar QMD ({reason}).</translation>
    </message>
    <message>
        <source>Scrubjay cannot write to QMD&apos;s folder ({reason}).</source>
        <translation>No se puede escribir en la carpeta de QMD ({reason}).</translation>
    </message>
    <message>
        <source>Nothing was deleted.</source>
        <translation>No se ha borrado nada.</translation>
    </message>
    <message>
        <source>Search again.</source>
        <translation>Busca otra vez.</translation>
    </message>
    <message>
        <source>Scrubjay does not keep what you tell agents</source>
        <translation>Scrubjay no conserva lo que dices a los agentes</translation>
    </message>
    <message>
        <source>Turn on “Keep what I tell agents” in the settings.</source>
        <translation>Activa «Conservar lo que digo a los agentes» en los ajustes.</translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation>El texto está vacío.</translation>
    </message>
    <message>
        <source>private key</source>
        <translation>clave privada</translation>
    </message>
    <message>
        <source>key for a service</source>
        <translation>clave de un servicio</translation>
    </message>
    <message>
        <source>key for GitHub</source>
        <translation>clave de GitHub</translation>
    </message>
    <message>
        <source>key for Slack</source>
        <translation>clave de Slack</translation>
    </message>
    <message>
        <source>key for AWS</source>
        <translation>clave de AWS</translation>
    </message>
    <message>
        <source>key for Google</source>
        <translation>clave de Google</translation>
    </message>
    <message>
        <source>key for Telegram</source>
        <translation>clave de Telegram</translation>
    </message>
    <message>
        <source>key for a website</source>
        <translation>clave de un sitio web</translation>
    </message>
    <message>
        <source>password</source>
        <translation>contraseña</translation>
    </message>
    <message>
        <source>secret</source>
        <translation>dato secreto</translation>
    </message>
    <message>
        <source>The name of this folder contains characters that Scrubjay cannot read</source>
        <translation>El nombre de esta carpeta contiene letras que Scrubjay no puede leer</translation>
    </message>
    <message>
        <source>Rename the folder and try again.</source>
        <translation>Cambia el nombre de la carpeta y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>{name} has not been added to Scrubjay.</source>
        <translation>{name} no se ha añadido a Scrubjay.</translation>
    </message>
    <message>
        <source>There is nothing to remember</source>
        <translation>No hay nada que recordar</translation>
    </message>
    <message>
        <source>{file} keeps changing</source>
        <translation>{file} cambia todo el tiempo</translation>
    </message>
    <message>
        <source>Allow writing to the folder, or choose another folder.</source>
        <translation>Permite escribir en la carpeta o elige otra.</translation>
    </message>
    <message>
        <source>{file} is not a file</source>
        <translation>{file} no es un archivo</translation>
    </message>
    <message>
        <source>{file} is not a qrels file</source>
        <translation>{file} no es un archivo qrels</translation>
    </message>
    <message>
        <source>Search is turned off</source>
        <translation>La búsqueda está desactivada</translation>
    </message>
    <message>
        <source>Turn on “Search my notes” in the settings, under “For experts”.</source>
        <translation>Activa «Buscar en mis notas» en los ajustes, en «Para expertos».</translation>
    </message>
    <message>
        <source>This additional file is not searched, because its name does not end in .md.</source>
        <translation>No se busca en este archivo adicional, porque su nombre no acaba en .md.</translation>
    </message>
    <message>
        <source>The keychain is locked</source>
        <translation>El llavero está bloqueado</translation>
    </message>
    <message>
        <source>The only keychain on this computer is {name}, which stores keys in a file that others can read.</source>
        <translation>El único llavero de este equipo es {name}, que guarda las claves en un archivo que otros pueden leer.</translation>
    </message>
    <message>
        <source>Scrubjay&apos;s entry in the keychain is damaged</source>
        <translation>La entrada de Scrubjay en el llavero está dañada</translation>
    </message>
    <message>
        <source>Delete the entry &quot;{service}&quot; in the keychain, then enter the keys again.</source>
        <translation>Borra la entrada «{service}» del llavero y vuelve a introducir las claves.</translation>
    </message>
    <message>
        <source>An older program saved MEMORY.md in the text format {codec}, which cannot store some of these characters.</source>
        <translation>Un programa antiguo guardó MEMORY.md en el formato de texto {codec}, que no admite algunos de estos caracteres.</translation>
    </message>
    <message>
        <source>Scrubjay had to read the notes for the first time.</source>
        <translation>Scrubjay ha tenido que leer las notas por primera vez.</translation>
    </message>
    <message>
        <source>You can undo the last addition.</source>
        <translation>Puedes deshacer lo último que se añadió.</translation>
    </message>
    <message>
        <source>Minutes between checks for changes</source>
        <translation>Minutos entre comprobaciones de cambios</translation>
    </message>
    <message>
        <source>Days until a daily note counts half as much</source>
        <translation>Días hasta que una nota diaria cuenta la mitad</translation>
    </message>
    <message>
        <source>Idle minutes before the language helper stops</source>
        <translation>Minutos de inactividad antes de que se detenga el ayudante de idioma</translation>
    </message>
    <message>
        <source>Never use services on the internet</source>
        <translation>No usar nunca servicios de internet</translation>
    </message>
    <message>
        <source>Page {n} is damaged.</source>
        <translation>La página {n} está dañada.</translation>
    </message>
    <message>
        <source>Search by meaning is turned off in the settings</source>
        <translation>La búsqueda por significado está desactivada en los ajustes</translation>
    </message>
    <message>
        <source>Choose a folder on this computer.</source>
        <translation>Elige una carpeta de este equipo.</translation>
    </message>
    <message>
        <source>{name} is shared with others</source>
        <translation>{name} se comparte con otras personas</translation>
    </message>
    <message>
        <source>{name} is read-only on this computer</source>
        <translation>{name} es de solo lectura en este equipo</translation>
    </message>
    <message>
        <source>{name} is not shared</source>
        <translation>{name} no se comparte</translation>
    </message>
    <message>
        <source>Another computer is publishing {name}</source>
        <translation>Otro equipo publica {name}</translation>
    </message>
    <message>
        <source>{names} were not searched. {reason}</source>
        <translation>No se ha buscado en {names}. {reason}</translation>
    </message>
    <message>
        <source>Try again in a minute, or choose another name.</source>
        <translation>Vuelve a intentarlo dentro de un minuto o elige otro nombre.</translation>
    </message>
    <message>
        <source>Another computer is already publishing {name} to that location</source>
        <translation>Otro equipo ya está publicando {name} en esa ubicación</translation>
    </message>
    <message>
        <source>Choose a folder outside your notes.</source>
        <translation>Elige una carpeta fuera de tus notas.</translation>
    </message>
    <message>
        <source>There is no shared memory at {uri} yet</source>
        <translation>Todavía no hay ninguna memoria compartida en {uri}</translation>
    </message>
    <message>
        <source>{name} is already shared at {uri}</source>
        <translation>{name} ya se comparte en {uri}</translation>
    </message>
    <message>
        <source>Document sandbox: partly available ({measures}). {gaps}</source>
        <translation>Entorno aislado para documentos: disponible en parte ({measures}). {gaps}</translation>
    </message>
    <message>
        <source>Document sandbox: available ({measures}).</source>
        <translation>Entorno aislado para documentos: disponible ({measures}).</translation>
    </message>
    <message>
        <source>Document sandbox: not available. {gaps}</source>
        <translation>Entorno aislado para documentos: no disponible. {gaps}</translation>
    </message>
    <message>
        <source>{uri} is inside the folder {name}</source>
        <translation>{uri} está dentro de la carpeta {name}</translation>
    </message>
    <message>
        <source>Line {line} of {path} refers to {target}, which does not exist.</source>
        <translation>La línea {line} de {path} remite a {target}, que no existe.</translation>
    </message>
    <message>
        <source>{workspace}: {pending} {pending:note has|notes have} changed and {pending:has|have} not been read yet.</source>
        <translation>{workspace}: {pending} {pending:nota ha|notas han} cambiado y aún no se {pending:ha|han} leído.</translation>
    </message>
    <message>
        <source>A shared memory has a problem</source>
        <translation>Una memoria compartida tiene un problema</translation>
    </message>
    <message>
        <source>{tables} {tables:part|parts} of {name} at {place} {tables:is|are} no longer needed.</source>
        <translation>{tables} {tables:parte|partes} de {name} en {place} ya no {tables:sirve|sirven}.</translation>
    </message>
    <message>
        <source>{count} more {count:finding|findings} of this kind in {workspace} {count:is|are} not listed.</source>
        <translation>No se {count:muestra|muestran} {count} {count:hallazgo|hallazgos} más de este tipo en {workspace}.</translation>
    </message>
    <message>
        <source>{n} {n:note|notes}</source>
        <translation>{n} {n:nota|notas}</translation>
    </message>
    <message>
        <source>{notes} and {n} {n:image or recording|images or recordings}</source>
        <translation>{notes} y {n} {n:imagen o grabación|imágenes o grabaciones}</translation>
    </message>
    <message>
        <source>Free some space, or change “Folder for the language helpers” in the settings.</source>
        <translation>Libera espacio o cambia «Carpeta para los ayudantes de idioma» en los ajustes.</translation>
    </message>
    <message>
        <source>The server {host} cannot be reached. {error}</source>
        <translation>No se puede llegar al servidor {host}. {error}</translation>
    </message>
    <message>
        <source>Check that this computer is connected to the internet, then try again.</source>
        <translation>Comprueba que este equipo está conectado a internet y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>español</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>portugués</translation>
    </message>
    <message>
        <source>French</source>
        <translation>francés</translation>
    </message>
    <message>
        <source>German</source>
        <translation>alemán</translation>
    </message>
    <message>
        <source>Your notes are in {language}</source>
        <translation>Tus notas están en {language}</translation>
    </message>
    <message>
        <source>Most of your notes are in {language}</source>
        <translation>La mayoría de tus notas están en {language}</translation>
    </message>
    <message>
        <source>About half of your notes are in {language}</source>
        <translation>Cerca de la mitad de tus notas están en {language}</translation>
    </message>
    <message>
        <source>Some of your notes are in {language}</source>
        <translation>Algunas de tus notas están en {language}</translation>
    </message>
    <message>
        <source>Most of your notes are in English, some in {language}</source>
        <translation>La mayoría de tus notas están en inglés, algunas en {language}</translation>
    </message>
    <message>
        <source>Most of your notes are in English</source>
        <translation>La mayoría de tus notas están en inglés</translation>
    </message>
    <message>
        <source>Your notes are in English</source>
        <translation>Tus notas están en inglés</translation>
    </message>
    <message>
        <source>languages other than English</source>
        <translation>otros idiomas que no son el inglés</translation>
    </message>
    <message>
        <source>{name} does not work for search by meaning on this computer</source>
        <translation>{name} no sirve en este equipo para buscar por significado</translation>
    </message>
    <message>
        <source>{name} is too large</source>
        <translation>{name} es demasiado grande</translation>
    </message>
    <message>
        <source>This may be an attack, so Scrubjay stopped reading the export.</source>
        <translation>Puede ser un ataque, así que Scrubjay ha dejado de leer la exportación.</translation>
    </message>
    <message>
        <source>{name} cannot be read</source>
        <translation>No se puede leer {name}</translation>
    </message>
    <message>
        <source>{name} is already a folder of notes</source>
        <translation>{name} ya es una carpeta de notas</translation>
    </message>
    <message>
        <source>Web pages</source>
        <translation>Páginas web</translation>
    </message>
    <message>
        <source>No notes were imported into this folder.</source>
        <translation>No se ha importado ninguna nota en esta carpeta.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be created</source>
        <translation>No se puede crear la carpeta {folder}</translation>
    </message>
    <message>
        <source>{n} {n:file|files}</source>
        <translation>{n} {n:archivo|archivos}</translation>
    </message>
    <message>
        <source>The attachment is damaged.</source>
        <translation>El adjunto está dañado.</translation>
    </message>
    <message>
        <source>The attachment is too large.</source>
        <translation>El adjunto es demasiado grande.</translation>
    </message>
    <message>
        <source>The note is encrypted.</source>
        <translation>La nota está cifrada.</translation>
    </message>
    <message>
        <source>The note is in the trash.</source>
        <translation>La nota está en la papelera.</translation>
    </message>
    <message>
        <source>The attachment is not in the export.</source>
        <translation>El adjunto no está en la exportación.</translation>
    </message>
    <message>
        <source>The table is damaged</source>
        <translation>La tabla está dañada</translation>
    </message>
    <message>
        <source>{n} {n:file is|files are} not searched: {kinds}.</source>
        <translation>No se busca en {n} {n:archivo|archivos}: {kinds}.</translation>
    </message>
    <message>
        <source>You excluded this folder.</source>
        <translation>Has dejado fuera esta carpeta.</translation>
    </message>
    <message>
        <source>Choose a language helper on this computer, or turn off “Never use services on the internet” in the settings.</source>
        <translation>Elige un ayudante de idioma de este equipo o desactiva «No usar nunca servicios de internet» en los ajustes.</translation>
    </message>
    <message>
        <source>The setting “Never use services on the internet” is on, so {host} was not contacted.</source>
        <translation>El ajuste «No usar nunca servicios de internet» está activado, así que no se ha contactado con {host}.</translation>
    </message>
    <message>
        <source>Try again. {no_store}</source>
        <translation>Inténtalo otra vez. {no_store}</translation>
    </message>
    <message>
        <source>its content is not valid</source>
        <translation>su contenido no es válido</translation>
    </message>
    <message>
        <source>There is no task on line {line} of {file}</source>
        <translation>No hay ninguna tarea en la línea {line} de {file}</translation>
    </message>
    <message>
        <source>Only notes inside the folder can be read.</source>
        <translation>Solo se pueden leer notas que estén dentro de la carpeta.</translation>
    </message>
    <message>
        <source>{name} has not been read yet</source>
        <translation>{name} todavía no se ha leído</translation>
    </message>
    <message>
        <source>{name} was not searched. {reason}</source>
        <translation>No se ha buscado en {name}. {reason}</translation>
    </message>
    <message>
        <source>The settings file contains a key</source>
        <translation>El archivo de ajustes contiene una clave</translation>
    </message>
    <message>
        <source>The settings changed during this request</source>
        <translation>Los ajustes han cambiado durante esta petición</translation>
    </message>
    <message>
        <source>Repeat the request.</source>
        <translation>Repite la petición.</translation>
    </message>
    <message>
        <source>The program that reads exports could not be started</source>
        <translation>El programa que lee las exportaciones no arranca</translation>
    </message>
    <message>
        <source>Scrubjay does not open links, devices, encrypted files or unnamed files in an export.</source>
        <translation>Scrubjay no abre enlaces, dispositivos, archivos cifrados ni archivos sin nombre de una exportación.</translation>
    </message>
    <message>
        <source>no_new_privs is not available (error {n}), so a harmful document could gain other programs&apos; permissions.</source>
        <translation>no_new_privs no está disponible (error {n}), así que un documento dañino podría obtener los permisos de otros programas.</translation>
    </message>
    <message>
        <source>Landlock is not available (error {n}), so a harmful document could read your other files.</source>
        <translation>Landlock no está disponible (error {n}), así que un documento dañino podría leer tus otros archivos.</translation>
    </message>
    <message>
        <source>seccomp is not available (error {n}), so a harmful document could start programs and connect to other computers.</source>
        <translation>seccomp no está disponible (error {n}), así que un documento dañino podría iniciar programas y conectarse con otros equipos.</translation>
    </message>
    <message>
        <source>macOS did not start the sandbox ({reason}), so a harmful document could read and change your files, start programs and connect to other computers.</source>
        <translation>macOS no inició el entorno aislado ({reason}), así que un documento dañino podría leer y cambiar tus archivos, iniciar programas y conectarse con otros equipos.</translation>
    </message>
    <message>
        <source>Windows did not limit the document reader to one process, so a harmful document could start programs.</source>
        <translation>Windows no limitó el lector de documentos a un solo proceso, así que un documento dañino podría iniciar programas.</translation>
    </message>
    <message>
        <source>Windows did not reduce the document reader&apos;s permissions, so a harmful document could change your files.</source>
        <translation>Windows no redujo los permisos del lector de documentos, así que un documento dañino podría cambiar tus archivos.</translation>
    </message>
    <message>
        <source>Shared memories need a part of Scrubjay that is not installed. Ask the person who installed Scrubjay to add it (350 MB), or run `pip install &apos;scrubjay[team]&apos;`.</source>
        <translation>Las memorias compartidas necesitan una parte de Scrubjay que no está instalada. Pide a quien instaló Scrubjay que la añada (350 MB), o ejecuta `pip install &apos;scrubjay[team]&apos;`.</translation>
    </message>
    <message>
        <source>Scrubjay is still opening the shared memory {uri}</source>
        <translation>Scrubjay aún está abriendo la memoria compartida {uri}</translation>
    </message>
    <message>
        <source>Download the file in a web browser, then choose “Add from file”.</source>
        <translation>Descarga el archivo con un navegador y elige «Añadir desde un archivo».</translation>
    </message>
    <message>
        <source>The file ends too early</source>
        <translation>El archivo está cortado</translation>
    </message>
    <message>
        <source>Folders whose names begin with a dot are not read.</source>
        <translation>Las carpetas cuyo nombre empieza por un punto no se leen.</translation>
    </message>
    <message>
        <source>{n} {n:folder is|folders are} not searched, because {n:its name begins|their names begin} with a dot.</source>
        <translation>No se busca en {n} {n:carpeta cuyo nombre empieza|carpetas cuyos nombres empiezan} por un punto.</translation>
    </message>
    <message>
        <source>{n} {n:picture is|pictures are} not searched.</source>
        <translation>No se busca en {n} {n:imagen|imágenes}.</translation>
    </message>
    <message>
        <source>{uri} is not in the settings</source>
        <translation>{uri} no está en los ajustes</translation>
    </message>
    <message>
        <source>access is denied</source>
        <translation>el acceso está denegado</translation>
    </message>
    <message>
        <source>Check that the folder is writable.</source>
        <translation>Comprueba que se pueda escribir en la carpeta.</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>El disco está lleno</translation>
    </message>
    <message>
        <source>{path} cannot be read ({error}).</source>
        <translation>{path} no se puede leer ({error}).</translation>
    </message>
    <message>
        <source>Another program is writing to {path}.</source>
        <translation>Otro programa está escribiendo en {path}.</translation>
    </message>
    <message>
        <source>There is not enough space for {path}.</source>
        <translation>No hay espacio suficiente para {path}.</translation>
    </message>
    <message>
        <source>The shared folder {name} is damaged</source>
        <translation>La carpeta compartida {name} está dañada</translation>
    </message>
    <message>
        <source>Another computer is now publishing this folder</source>
        <translation>Ahora otro equipo publica esta carpeta</translation>
    </message>
    <message>
        <source>Another folder is already shared under the name {name}</source>
        <translation>Con el nombre {name} ya se comparte otra carpeta</translation>
    </message>
    <message>
        <source>{computer} is publishing this folder with another language helper</source>
        <translation>{computer} publica esta carpeta con otro ayudante de idioma</translation>
    </message>
    <message>
        <source>Some files of {name} are missing</source>
        <translation>Faltan archivos de {name}</translation>
    </message>
    <message>
        <source>{path} cannot be read</source>
        <translation>{path} no se puede leer</translation>
    </message>
    <message>
        <source>Update Scrubjay.</source>
        <translation>Actualiza Scrubjay.</translation>
    </message>
    <message>
        <source>The service is too busy</source>
        <translation>El servicio está demasiado ocupado</translation>
    </message>
    <message>
        <source>Some of its files are missing</source>
        <translation>Le faltan archivos</translation>
    </message>
    <message>
        <source>Some files of {name} are damaged</source>
        <translation>Algunos archivos de {name} están dañados</translation>
    </message>
    <message>
        <source>Its files are damaged</source>
        <translation>Sus archivos están dañados</translation>
    </message>
    <message>
        <source>Another computer was writing to the shared memory at the same time</source>
        <translation>Otro equipo estaba escribiendo en la memoria compartida en el mismo momento</translation>
    </message>
    <message>
        <source>There is no shared memory at {uri}</source>
        <translation>No hay ninguna memoria compartida en {uri}</translation>
    </message>
    <message>
        <source>The shared memory {uri} cannot be reached</source>
        <translation>No se puede acceder a la memoria compartida {uri}</translation>
    </message>
    <message>
        <source>{uri} is not a valid address</source>
        <translation>{uri} no es una dirección válida</translation>
    </message>
    <message>
        <source>{name} is a secret and must not be in the settings</source>
        <translation>{name} es un secreto y no debe estar en los ajustes</translation>
    </message>
    <message>
        <source>Shared memories need a part of Scrubjay that is not installed</source>
        <translation>Las memorias compartidas necesitan una parte de Scrubjay que no está instalada</translation>
    </message>
    <message>
        <source>The list of shared folders at {uri} is damaged</source>
        <translation>La lista de carpetas compartidas en {uri} está dañada</translation>
    </message>
    <message>
        <source>Delete the folder {name} in the shared memory, then share the folders again.</source>
        <translation>Borra la carpeta {name} de la memoria compartida y vuelve a compartir las carpetas.</translation>
    </message>
    <message>
        <source>{path} belongs to another program.</source>
        <translation>{path} es de otro programa.</translation>
    </message>
    <message>
        <source>{path} has version {version}, but this version of Scrubjay can only read versions up to {known}.</source>
        <translation>{path} tiene la versión {version}, pero esta versión de Scrubjay solo puede leer hasta la {known}.</translation>
    </message>
    <message>
        <source>card number</source>
        <translation>número de tarjeta</translation>
    </message>
    <message>
        <source>This copy of Scrubjay does not know where to check for newer versions</source>
        <translation>Esta copia de Scrubjay no sabe dónde buscar versiones más nuevas</translation>
    </message>
    <message>
        <source>Check the internet connection, and try again later.</source>
        <translation>Comprueba la conexión a internet y vuelve a intentarlo más tarde.</translation>
    </message>
    <message>
        <source>Scrubjay {version} is available</source>
        <translation>Scrubjay {version} está disponible</translation>
    </message>
    <message>
        <source>The list of newer versions cannot be trusted</source>
        <translation>La lista de versiones nuevas no es de fiar</translation>
    </message>
    <message>
        <source>Try again tomorrow. Until then, this version of Scrubjay keeps working.</source>
        <translation>Vuelve a intentarlo mañana. Hasta entonces, esta versión de Scrubjay sigue funcionando.</translation>
    </message>
    <message>
        <source>The system allows only {allowed} folders to be watched for changes (fs.inotify.max_user_watches)</source>
        <translation>El sistema solo permite vigilar {allowed} carpetas (fs.inotify.max_user_watches)</translation>
    </message>
    <message>
        <source>{place} cannot be watched ({reason})</source>
        <translation>No se puede vigilar {place} ({reason})</translation>
    </message>
    <message>
        <source>The folder cannot be read ({reason}).</source>
        <translation>No se puede leer la carpeta ({reason}).</translation>
    </message>
    <message>
        <source>Pass one of the choices, and its workspace as the workspace argument.</source>
        <translation>Pasa una de las opciones de choices, y su carpeta como argumento workspace.</translation>
    </message>
    <message>
        <source>Pass only the path to read the note.</source>
        <translation>Pasa solo la ruta para leer la nota.</translation>
    </message>
    <message>
        <source>The note has no heading or block with this name</source>
        <translation>La nota no tiene ningún encabezado o bloque con este nombre</translation>
    </message>
    <message>
        <source>Pass one of the choices after #, or pass only the path to read the note.</source>
        <translation>Pasa una de las opciones de choices después de #, o pasa solo la ruta para leer la nota.</translation>
    </message>
    <message>
        <source>Pass one of the choices as the heading argument.</source>
        <translation>Pasa una de las opciones de choices como argumento heading.</translation>
    </message>
    <message>
        <source>The --- at the beginning of the note is a horizontal rule, without properties.</source>
        <translation>Los --- del comienzo de la nota son una línea horizontal, sin propiedades.</translation>
    </message>
    <message>
        <source>They are on lines {lines}. Use action replace with a passage that occurs only once.</source>
        <translation>Están en las líneas {lines}. Usa la acción replace con un pasaje que aparezca una sola vez.</translation>
    </message>
    <message>
        <source>The path is longer than Windows allows. Give the file or its folders shorter names, or turn on long paths in Windows (LongPathsEnabled) and start Scrubjay again.</source>
        <translation>La ruta es más larga de lo que permite Windows. Acorta el nombre del archivo o de sus carpetas, o activa las rutas largas en Windows (LongPathsEnabled) y vuelve a iniciar Scrubjay.</translation>
    </message>
    <message>
        <source>Scrubjay cannot use this kind of pattern. The folder is imported without it. To exclude notes, add exclusion patterns for the folder.</source>
        <translation>Scrubjay no puede usar este tipo de patrón. La carpeta se importa sin él. Para excluir notas, añade patrones de exclusión a la carpeta.</translation>
    </message>
    <message>
        <source>macOS runs Scrubjay from a temporary folder until you move the app. In the Finder, move Scrubjay to the Applications folder, open it there, then try again.</source>
        <translation>macOS ejecuta Scrubjay desde una carpeta temporal hasta que muevas la aplicación. En el Finder, mueve Scrubjay a la carpeta Aplicaciones, ábrelo allí e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>Scrubjay will not ask you again by itself to unlock the keychain. To unlock it, check for changes or start Scrubjay again. {no_store}</source>
        <translation>Scrubjay no volverá a pedirte por sí mismo que desbloquees el llavero. Para desbloquearlo, busca cambios o vuelve a iniciar Scrubjay. {no_store}</translation>
    </message>
    <message>
        <source>Scrubjay has no sandbox for this operating system.</source>
        <translation>Scrubjay no tiene un entorno aislado para este sistema operativo.</translation>
    </message>
    <message>
        <source>On Windows, a harmful document could still read files that all users of this computer may read, and connect to other computers.</source>
        <translation>En Windows, un documento dañino aún podría leer los archivos que todos los usuarios de este equipo pueden leer, y conectarse a otros equipos.</translation>
    </message>
    <message>
        <source>{program} only starts another program. Set memory.qmd.command to the program that it starts.</source>
        <translation>{program} solo inicia otro programa. Pon en memory.qmd.command el programa que inicia.</translation>
    </message>
    <message>
        <source>QMD sent a response that is not a list of results.</source>
        <translation>QMD ha enviado una respuesta que no es una lista de resultados.</translation>
    </message>
    <message>
        <source>QMD sent results in an unknown format.</source>
        <translation>QMD ha enviado resultados en un formato desconocido.</translation>
    </message>
    <message>
        <source>QMD sent a response that Scrubjay cannot read.</source>
        <translation>QMD ha enviado una respuesta que Scrubjay no puede leer.</translation>
    </message>
    <message>
        <source>QMD has not prepared the notes for search by meaning yet.</source>
        <translation>QMD aún no ha preparado las notas para la búsqueda por significado.</translation>
    </message>
    <message>
        <source>The language helper does not know the words of this question.</source>
        <translation>El ayudante de idioma no conoce las palabras de esta pregunta.</translation>
    </message>
    <message>
        <source>Storage options cannot be used with a folder</source>
        <translation>Las opciones del almacenamiento no se pueden usar con una carpeta</translation>
    </message>
    <message>
        <source>The storage options cannot be read</source>
        <translation>No se pueden leer las opciones del almacenamiento</translation>
    </message>
    <message>
        <source>the file is not a search index</source>
        <translation>el archivo no es un índice de búsqueda</translation>
    </message>
    <message>
        <source>The folder for search indexes cannot be used</source>
        <translation>No se puede usar la carpeta de los índices de búsqueda</translation>
    </message>
    <message>
        <source>The search index is damaged</source>
        <translation>El índice de búsqueda está dañado</translation>
    </message>
    <message>
        <source>Your notes are untouched. Scrubjay will rebuild the search index the next time it reads them.</source>
        <translation>Tus notas están intactas. Scrubjay reconstruirá el índice de búsqueda la próxima vez que las lea.</translation>
    </message>
    <message>
        <source>The search index is busy</source>
        <translation>El índice de búsqueda está ocupado</translation>
    </message>
    <message>
        <source>Your notes are safe. Free some space, and Scrubjay will continue reading them where it stopped.</source>
        <translation>Tus notas están a salvo. Libera espacio y Scrubjay seguirá leyéndolas donde se quedó.</translation>
    </message>
    <message>
        <source>The search index cannot be used</source>
        <translation>No se puede usar el índice de búsqueda</translation>
    </message>
    <message>
        <source>Check that the folder exists and is writable, and that the disk has free space.</source>
        <translation>Comprueba que la carpeta exista, que se pueda escribir en ella y que haya espacio en el disco.</translation>
    </message>
    <message>
        <source>The former search index of this folder cannot be deleted yet</source>
        <translation>El índice de búsqueda anterior de esta carpeta aún no se puede eliminar</translation>
    </message>
    <message>
        <source>Close the other programs that use Scrubjay, then try again.</source>
        <translation>Cierra los otros programas que usan Scrubjay y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The damaged search index cannot be replaced yet</source>
        <translation>El índice de búsqueda dañado aún no se puede sustituir</translation>
    </message>
    <message>
        <source>After the folder is published again, you can search it.</source>
        <translation>Se podrá buscar en la carpeta cuando se haya vuelto a publicar.</translation>
    </message>
    <message>
        <source>Choose another name for this folder. If it is the folder that is already shared, only with many changes, publish it now.</source>
        <translation>Elige otro nombre para esta carpeta. Si es la que ya se comparte, pero con muchos cambios, publícala ahora.</translation>
    </message>
    <message>
        <source>Choose the language helper that the other computer uses, or publish the folder now to change the language helper for everyone.</source>
        <translation>Elige el ayudante de idioma que usa el otro equipo, o publica la carpeta ahora para cambiarlo para todos.</translation>
    </message>
    <message>
        <source>Its files are damaged or too large to read</source>
        <translation>Sus archivos están dañados o son demasiado grandes para leerlos</translation>
    </message>
    <message>
        <source>Ask the person who installed Scrubjay to add the missing part (350 MB), or run `pip install &apos;scrubjay[team]&apos;`.</source>
        <translation>Pide a quien instaló Scrubjay que añada la parte que falta (350 MB), o ejecuta `pip install &apos;scrubjay[team]&apos;`.</translation>
    </message>
    <message>
        <source>The search index belongs to another folder</source>
        <translation>El índice de búsqueda es de otra carpeta</translation>
    </message>
    <message>
        <source>{path} is not the search index of {id}.</source>
        <translation>{path} no es el índice de búsqueda de {id}.</translation>
    </message>
    <message>
        <source>This search index was not created by Scrubjay</source>
        <translation>Este índice de búsqueda no lo creó Scrubjay</translation>
    </message>
    <message>
        <source>This search index was created by a newer version of Scrubjay</source>
        <translation>Este índice de búsqueda lo creó una versión más reciente de Scrubjay</translation>
    </message>
    <message>
        <source>Update Scrubjay, or delete the search index. Scrubjay will then rebuild it from your notes.</source>
        <translation>Actualiza Scrubjay o borra el índice de búsqueda. Scrubjay lo volverá a crear a partir de tus notas.</translation>
    </message>
    <message>
        <source>This copy of Scrubjay was built without an address for newer versions.</source>
        <translation>Esta copia de Scrubjay se creó sin la dirección de las versiones nuevas.</translation>
    </message>
    <message>
        <source>This search does not include a folder</source>
        <translation>Esta búsqueda no incluye ninguna carpeta</translation>
    </message>
    <message>
        <source>Choose the folder, or add folder:&quot;{name}&quot; to the search.</source>
        <translation>Elige la carpeta o añade folder:&quot;{name}&quot; a la búsqueda.</translation>
    </message>
    <message>
        <source>It is searched only when a search names it.</source>
        <translation>Solo se busca en ella cuando una búsqueda la nombra.</translation>
    </message>
    <message>
        <source>{name} is searched only when a search names it.</source>
        <translation>En {name} solo se busca cuando una búsqueda nombra la carpeta.</translation>
    </message>
    <message>
        <source>Scrubjay already searches these notes</source>
        <translation>Scrubjay ya busca en estas notas</translation>
    </message>
    <message>
        <source>There is no such folder</source>
        <translation>Esa carpeta no existe</translation>
    </message>
    <message>
        <source>{folder} is not a folder in {name}.</source>
        <translation>{folder} no es una carpeta de {name}.</translation>
    </message>
    <message>
        <source>In Scrubjay, this folder is called {name}.</source>
        <translation>En Scrubjay, esta carpeta se llama {name}.</translation>
    </message>
    <message>
        <source>These notes are already in the folder {name}.</source>
        <translation>Estas notas ya están en la carpeta {name}.</translation>
    </message>
    <message>
        <source>Scrubjay does not search {n} {n:folder|folders} in the list of {uri}, because {n:the entry is|the entries are} damaged or the list is too long.</source>
        <translation>Scrubjay no busca en {n} {n:carpeta|carpetas} de la lista de {uri}, porque {n:la entrada está dañada|las entradas están dañadas} o la lista es demasiado larga.</translation>
    </message>
    <message>
        <source>{name} cannot be searched. {reason}</source>
        <translation>No se puede buscar en {name}. {reason}</translation>
    </message>
    <message>
        <source>Scrubjay does not search {n} {n:passage|passages} in {name}, because {n:the passage is|they are} damaged.</source>
        <translation>Scrubjay no busca en {n} {n:fragmento|fragmentos} de {name}, porque {n:está dañado|están dañados}.</translation>
    </message>
    <message>
        <source>Scrubjay does not use {n} {n:entry|entries} in the word list of {name}, because {n:the entry is|they are} damaged.</source>
        <translation>Scrubjay no usa {n} {n:entrada|entradas} de la lista de palabras de {name}, porque {n:está dañada|están dañadas}.</translation>
    </message>
    <message>
        <source>This folder was shared from a newer version of Scrubjay. Update Scrubjay.</source>
        <translation>Esta carpeta se compartió desde una versión más reciente de Scrubjay. Actualiza Scrubjay.</translation>
    </message>
    <message>
        <source>{name} has no description</source>
        <translation>{name} no tiene descripción</translation>
    </message>
    <message>
        <source>The agent is not allowed to read any workspace</source>
        <translation>El agente no tiene permiso para leer ninguna carpeta de notas</translation>
    </message>
    <message>
        <source>Restart the agent so that it can use your notes.</source>
        <translation>Reinicia el agente para que pueda usar tus notas.</translation>
    </message>
    <message>
        <source>Available agents: {names}.</source>
        <translation>Agentes disponibles: {names}.</translation>
    </message>
    <message>
        <source>Available workspaces: {names}.</source>
        <translation>Carpetas de notas disponibles: {names}.</translation>
    </message>
    <message>
        <source>Available prompts: {names}.</source>
        <translation>Plantillas disponibles: {names}.</translation>
    </message>
    <message>
        <source>Available services: {names}. You can also enter a host such as openrouter.ai.</source>
        <translation>Servicios disponibles: {names}. También puedes indicar un servidor como openrouter.ai.</translation>
    </message>
    <message>
        <source>Review the change again, then confirm it.</source>
        <translation>Vuelve a revisar el cambio y confírmalo.</translation>
    </message>
    <message>
        <source>The scrubjay command was not found</source>
        <translation>No se ha encontrado la orden scrubjay</translation>
    </message>
    <message>
        <source>Install Scrubjay together with its command-line tool.</source>
        <translation>Instala Scrubjay junto con su herramienta de línea de órdenes.</translation>
    </message>
    <message>
        <source>The file was not changed.</source>
        <translation>El archivo no se ha cambiado.</translation>
    </message>
    <message>
        <source>The file does not contain settings in the expected format</source>
        <translation>El archivo no contiene ajustes en el formato esperado</translation>
    </message>
    <message>
        <source>The file has a mistake: {error}</source>
        <translation>El archivo contiene un error: {error}</translation>
    </message>
    <message>
        <source>MEMORY.md already says almost the same thing.</source>
        <translation>MEMORY.md ya dice casi lo mismo.</translation>
    </message>
    <message>
        <source>{path} was changed or no longer exists.</source>
        <translation>{path} ha cambiado o ya no existe.</translation>
    </message>
    <message>
        <source>Allow writing to the folder, or use --dry-run to see the results without saving them.</source>
        <translation>Permite escribir en la carpeta o usa --dry-run para ver los resultados sin guardarlos.</translation>
    </message>
    <message>
        <source>This text is already in MEMORY.md.</source>
        <translation>Este texto ya está en MEMORY.md.</translation>
    </message>
    <message>
        <source>Undoing this would discard later changes to the file.</source>
        <translation>Deshacerlo borraría los cambios posteriores del archivo.</translation>
    </message>
    <message>
        <source>Wait until the other program has finished. If no other program is running, delete the lock file.</source>
        <translation>Espera a que termine el otro programa. Si no hay ninguno en marcha, borra el archivo de bloqueo.</translation>
    </message>
    <message>
        <source>The file is not a plain-text note.</source>
        <translation>El archivo no es una nota de texto sin formato.</translation>
    </message>
    <message>
        <source>Enter the text to forget</source>
        <translation>Escribe el texto que hay que olvidar</translation>
    </message>
    <message>
        <source>This entry is no longer in the list</source>
        <translation>Esta entrada ya no está en la lista</translation>
    </message>
    <message>
        <source>The entry was already kept or discarded.</source>
        <translation>La entrada ya se conservó o se descartó.</translation>
    </message>
    <message>
        <source>Scrubjay has not read this note&apos;s folder yet.</source>
        <translation>Scrubjay aún no ha leído la carpeta de esta nota.</translation>
    </message>
    <message>
        <source>Search by meaning did not finish within {seconds} seconds.</source>
        <translation>La búsqueda por significado no ha terminado en {seconds} segundos.</translation>
    </message>
    <message>
        <source>The language helper has not responded for a while.</source>
        <translation>El ayudante de idioma lleva un rato sin responder.</translation>
    </message>
    <message>
        <source>The language helper had to start first.</source>
        <translation>Primero tuvo que arrancar el ayudante de idioma.</translation>
    </message>
    <message>
        <source>{away} You can still search notes that Scrubjay has already read.</source>
        <translation>{away} Puedes seguir buscando en las notas que Scrubjay ya ha leído.</translation>
    </message>
    <message>
        <source>The note was deleted or moved.</source>
        <translation>La nota se ha borrado o movido.</translation>
    </message>
    <message>
        <source>Scrubjay has not read this note yet.</source>
        <translation>Scrubjay aún no ha leído esta nota.</translation>
    </message>
    <message>
        <source>The drive is not responding.</source>
        <translation>La unidad no responde.</translation>
    </message>
    <message>
        <source>The program that reads the document crashed.</source>
        <translation>El programa que lee el documento ha fallado.</translation>
    </message>
    <message>
        <source>Reading the document took more than {n} seconds.</source>
        <translation>Se ha tardado más de {n} segundos en leer el documento.</translation>
    </message>
    <message>
        <source>Reading the export took more than {n} seconds.</source>
        <translation>Se ha tardado más de {n} segundos en leer la exportación.</translation>
    </message>
    <message>
        <source>The document needs more memory than Scrubjay allows for one document.</source>
        <translation>El documento necesita más memoria de la que Scrubjay permite para un documento.</translation>
    </message>
    <message>
        <source>The export needs more memory than Scrubjay allows for one export.</source>
        <translation>La exportación necesita más memoria de la que Scrubjay permite para una exportación.</translation>
    </message>
    <message>
        <source>The program that publishes folders crashed</source>
        <translation>El programa que publica las carpetas ha fallado</translation>
    </message>
    <message>
        <source>{n} {n:part|parts} of the document could not be read.</source>
        <translation>No se {n:ha|han} podido leer {n} {n:parte|partes} del documento.</translation>
    </message>
    <message>
        <source>The document contains no text.</source>
        <translation>El documento no contiene texto.</translation>
    </message>
    <message>
        <source>The document has more than {n} million characters.</source>
        <translation>El documento tiene más de {n} millones de caracteres.</translation>
    </message>
    <message>
        <source>The file is not an email.</source>
        <translation>El archivo no es un correo electrónico.</translation>
    </message>
    <message>
        <source>The file is not a mailbox.</source>
        <translation>El archivo no es un buzón de correo.</translation>
    </message>
    <message>
        <source>The mailbox has {n} messages, but Scrubjay reads at most {most}.</source>
        <translation>El buzón tiene {n} mensajes, pero Scrubjay lee {most} como máximo.</translation>
    </message>
    <message>
        <source>The file is not a rich text file.</source>
        <translation>El archivo no es de texto enriquecido.</translation>
    </message>
    <message>
        <source>The file is not a Jupyter notebook.</source>
        <translation>El archivo no es un cuaderno de Jupyter.</translation>
    </message>
    <message>
        <source>The parts of the document are nested more than {n} levels deep.</source>
        <translation>Las partes del documento están anidadas a más de {n} niveles.</translation>
    </message>
    <message>
        <source>The document is protected with a password.</source>
        <translation>El documento está protegido con una contraseña.</translation>
    </message>
    <message>
        <source>The document is password-protected or was saved in an Office format older than 2007.</source>
        <translation>El documento está protegido con contraseña o se guardó en un formato de Office anterior a 2007.</translation>
    </message>
    <message>
        <source>The document has more than {n} parts.</source>
        <translation>El documento tiene más de {n} partes.</translation>
    </message>
    <message>
        <source>The document is larger than {n} MB when unpacked.</source>
        <translation>El documento, descomprimido, ocupa más de {n} MB.</translation>
    </message>
    <message>
        <source>{n} of {all} {all:page|pages} {n:has|have} no text and may contain only images.</source>
        <translation>{n} de {all} {all:página|páginas} no {n:tiene|tienen} texto y quizá solo {n:contenga|contengan} imágenes.</translation>
    </message>
    <message>
        <source>The document has {n} pages, but Scrubjay reads at most {most}.</source>
        <translation>El documento tiene {n} páginas, pero Scrubjay lee {most} como máximo.</translation>
    </message>
    <message>
        <source>Scrubjay cannot read documents because the program that reads them does not start.</source>
        <translation>Scrubjay no puede leer documentos porque el programa que los lee no se inicia.</translation>
    </message>
    <message>
        <source>The document is copy-protected.</source>
        <translation>El documento está protegido contra copia.</translation>
    </message>
    <message>
        <source>The language helper stopped unexpectedly. You can still search by words.</source>
        <translation>El ayudante de idioma se ha detenido de forma inesperada. Puedes seguir buscando por palabras.</translation>
    </message>
    <message>
        <source>The language helper is not responding</source>
        <translation>El ayudante de idioma no responde</translation>
    </message>
    <message>
        <source>The language helper returned nothing for one of the texts.</source>
        <translation>El ayudante de idioma no ha devuelto nada para uno de los textos.</translation>
    </message>
    <message>
        <source>{file} does not exist.</source>
        <translation>{file} no existe.</translation>
    </message>
    <message>
        <source>Remove the language helper, then download it again.</source>
        <translation>Quita el ayudante de idioma y vuelve a descargarlo.</translation>
    </message>
    <message>
        <source>{reason}. The file may be damaged.</source>
        <translation>{reason}. Puede que el archivo esté dañado.</translation>
    </message>
    <message>
        <source>{name} did not respond</source>
        <translation>{name} no ha respondido</translation>
    </message>
    <message>
        <source>{name} sent an invalid response</source>
        <translation>{name} ha enviado una respuesta no válida</translation>
    </message>
    <message>
        <source>Replace the key in Settings under “Service keys”, or with `scrubjay keys set {id}`.</source>
        <translation>Cambia la clave en Ajustes, «Claves de servicios», o con `scrubjay keys set {id}`.</translation>
    </message>
    <message>
        <source>Enter the key in Settings under “Service keys”, or with `scrubjay keys set {id}`.</source>
        <translation>Introduce la clave en Ajustes, «Claves de servicios», o con `scrubjay keys set {id}`.</translation>
    </message>
    <message>
        <source>{name} has no language helper called {model}</source>
        <translation>{name} no tiene ningún ayudante de idioma llamado {model}</translation>
    </message>
    <message>
        <source>Your account with {name} has run out of credit</source>
        <translation>Tu cuenta de {name} se ha quedado sin saldo</translation>
    </message>
    <message>
        <source>Check your account on the service&apos;s website. You can still search by words.</source>
        <translation>Revisa tu cuenta en el sitio web del servicio. Puedes seguir buscando por palabras.</translation>
    </message>
    <message>
        <source>{name} received too many requests</source>
        <translation>{name} ha recibido demasiadas peticiones</translation>
    </message>
    <message>
        <source>{name} changed its language helper {model}</source>
        <translation>{name} ha cambiado su ayudante de idioma {model}</translation>
    </message>
    <message>
        <source>The service&apos;s responses now have {after} numbers instead of {before}. You can still search by words.</source>
        <translation>Las respuestas del servicio tienen ahora {after} números en vez de {before}. Puedes seguir buscando por palabras.</translation>
    </message>
    <message>
        <source>No data arrived within {n} s.</source>
        <translation>No han llegado datos en {n} s.</translation>
    </message>
    <message>
        <source>The response is not in the expected format.</source>
        <translation>La respuesta no tiene el formato esperado.</translation>
    </message>
    <message>
        <source>The response is empty.</source>
        <translation>La respuesta está vacía.</translation>
    </message>
    <message>
        <source>The response does not contain {key}.</source>
        <translation>La respuesta no contiene {key}.</translation>
    </message>
    <message>
        <source>The response is not valid.</source>
        <translation>La respuesta no es válida.</translation>
    </message>
    <message>
        <source>The service sent an empty response.</source>
        <translation>El servicio ha enviado una respuesta vacía.</translation>
    </message>
    <message>
        <source>The service returned {n} responses for a single file instead of one.</source>
        <translation>El servicio ha devuelto {n} respuestas para un solo archivo, en lugar de una.</translation>
    </message>
    <message>
        <source>The service returned {came} {came:response|responses} for {texts} {texts:text|texts} instead of one for each.</source>
        <translation>El servicio ha devuelto {came} {came:respuesta|respuestas} para {texts} {texts:texto|textos}, en lugar de una para cada uno.</translation>
    </message>
    <message>
        <source>Choose another language helper in the settings.</source>
        <translation>Elige otro ayudante de idioma en los ajustes.</translation>
    </message>
    <message>
        <source>Download the language helper in Ollama, then try again.</source>
        <translation>Descarga el ayudante de idioma en Ollama y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>Download the language helper in Settings under “Language helpers”, or with `scrubjay models download {id}`.</source>
        <translation>Descarga el ayudante de idioma en Ajustes, «Ayudantes de idioma», o con `scrubjay models download {id}`.</translation>
    </message>
    <message>
        <source>Choose a language helper in Settings under “Language helpers”, or run `scrubjay models list`.</source>
        <translation>Elige un ayudante de idioma en Ajustes, «Ayudantes de idioma», o ejecuta `scrubjay models list`.</translation>
    </message>
    <message>
        <source>Download a language helper in Settings under “Language helpers”, or with `scrubjay models download`.</source>
        <translation>Descarga un ayudante de idioma en Ajustes, «Ayudantes de idioma», o con `scrubjay models download`.</translation>
    </message>
    <message>
        <source>This note has not been published yet.</source>
        <translation>Esta nota todavía no se ha publicado.</translation>
    </message>
    <message>
        <source>On this computer, this folder can only be searched. To remove the folder, remove its shared memory.</source>
        <translation>En este equipo solo se puede buscar en esta carpeta. Para quitarla, quita su memoria compartida.</translation>
    </message>
    <message>
        <source>Stop sharing the folder first. Otherwise, other people will keep an outdated copy.</source>
        <translation>Deja antes de compartir la carpeta. Si no, otras personas se quedarán con una copia anticuada.</translation>
    </message>
    <message>
        <source>Scrubjay could not save the list of files to skip</source>
        <translation>Scrubjay no ha podido guardar la lista de archivos que debe omitir</translation>
    </message>
    <message>
        <source>MEMORY.md can be read only in private conversations.</source>
        <translation>MEMORY.md solo se puede leer en conversaciones privadas.</translation>
    </message>
    <message>
        <source>Connect the drive, and check whether the text was saved before you try again.</source>
        <translation>Conecta la unidad y comprueba si el texto se guardó antes de volver a intentarlo.</translation>
    </message>
    <message>
        <source>Connect the drive, then try again.</source>
        <translation>Conecta la unidad y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The drive may be disconnected.</source>
        <translation>Puede que la unidad esté desconectada.</translation>
    </message>
    <message>
        <source>{place} is not responding</source>
        <translation>{place} no responde</translation>
    </message>
    <message>
        <source>Scrubjay is reading your notes again in the background. Until it has finished, search works as before.</source>
        <translation>Scrubjay está leyendo tus notas de nuevo en segundo plano. Hasta que termine, la búsqueda funciona como antes.</translation>
    </message>
    <message>
        <source>The folder {folder} does not exist</source>
        <translation>La carpeta {folder} no existe</translation>
    </message>
    <message>
        <source>Check whether the drive is connected, then try again.</source>
        <translation>Comprueba si la unidad está conectada y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The file or folder does not exist</source>
        <translation>El archivo o la carpeta no existe</translation>
    </message>
    <message>
        <source>This is not a folder</source>
        <translation>Esto no es una carpeta</translation>
    </message>
    <message>
        <source>This is a folder, not a file</source>
        <translation>Esto es una carpeta, no un archivo</translation>
    </message>
    <message>
        <source>The disk reported a read or write error</source>
        <translation>El disco ha dado un error de lectura o escritura</translation>
    </message>
    <message>
        <source>Another program is using the file</source>
        <translation>Otro programa está usando el archivo</translation>
    </message>
    <message>
        <source>The link points to itself</source>
        <translation>El enlace apunta a sí mismo</translation>
    </message>
    <message>
        <source>The file is on another disk</source>
        <translation>El archivo está en otro disco</translation>
    </message>
    <message>
        <source>This disk or folder does not support this operation</source>
        <translation>Este disco o esta carpeta no admite esta operación</translation>
    </message>
    <message>
        <source>No server is responding at this address</source>
        <translation>Ningún servidor responde en esta dirección</translation>
    </message>
    <message>
        <source>No response was received in time</source>
        <translation>No hubo respuesta a tiempo</translation>
    </message>
    <message>
        <source>There is no network connection</source>
        <translation>No hay conexión de red</translation>
    </message>
    <message>
        <source>The other computer cannot be reached</source>
        <translation>No se puede acceder al otro equipo</translation>
    </message>
    <message>
        <source>Choose two different language helpers.</source>
        <translation>Elige dos ayudantes de idioma distintos.</translation>
    </message>
    <message>
        <source>Your notes have too few headings to compare language helpers</source>
        <translation>Tus notas tienen muy pocos títulos para comparar ayudantes de idioma</translation>
    </message>
    <message>
        <source>At least {least} different headings with text below them are needed, but only {n} {n:was|were} found.</source>
        <translation>Hacen falta al menos {least} títulos distintos con texto debajo, pero solo se {n:ha|han} encontrado {n}.</translation>
    </message>
    <message>
        <source>Check your notes again.</source>
        <translation>Vuelve a comprobar tus notas.</translation>
    </message>
    <message>
        <source>The password or key is no longer on that line.</source>
        <translation>La contraseña o clave ya no está en esa línea.</translation>
    </message>
    <message>
        <source>{path} is too long for agents</source>
        <translation>{path} es demasiado largo para los agentes</translation>
    </message>
    <message>
        <source>The file has {characters} characters, but agents load only {limit} and stop at line {line}.</source>
        <translation>El archivo tiene {characters} caracteres, pero los agentes solo cargan {limit} y se detienen en la línea {line}.</translation>
    </message>
    <message>
        <source>A link is broken</source>
        <translation>Hay un enlace roto</translation>
    </message>
    <message>
        <source>An image or file is missing</source>
        <translation>Falta una imagen o un archivo</translation>
    </message>
    <message>
        <source>Correct the file name in the note, or restore the file.</source>
        <translation>Corrige el nombre del archivo en la nota o restaura el archivo.</translation>
    </message>
    <message>
        <source>Two notes are identical</source>
        <translation>Dos notas son idénticas</translation>
    </message>
    <message>
        <source>Delete one of the notes. Otherwise, search will show both.</source>
        <translation>Borra una de las notas. Si no, la búsqueda mostrará las dos.</translation>
    </message>
    <message>
        <source>{days} of the last {span} days {days:has|have} no daily note in {workspace}. The last daily note is from {last}.</source>
        <translation>{days} de los últimos {span} días no {days:tiene|tienen} nota diaria en {workspace}. La última es del {last}.</translation>
    </message>
    <message>
        <source>Usually, no action is needed. If an agent is supposed to write every day, check that the agent is still running.</source>
        <translation>Normalmente no hay que hacer nada. Si un agente debe escribir cada día, comprueba que sigue en marcha.</translation>
    </message>
    <message>
        <source>Scrubjay searches notes and, if you like, documents. To find anything else, copy it into a note.</source>
        <translation>Scrubjay busca en las notas y, si quieres, en los documentos. Para encontrar lo demás, cópialo en una nota.</translation>
    </message>
    <message>
        <source>No action is needed.</source>
        <translation>No hay que hacer nada.</translation>
    </message>
    <message>
        <source>{workspace}: {reason} You can still search notes that Scrubjay has already read.</source>
        <translation>{workspace}: {reason} Puedes seguir buscando en las notas que Scrubjay ya ha leído.</translation>
    </message>
    <message>
        <source>Connect the drive, or set the new location of the folder on the Folders page.</source>
        <translation>Conecta la unidad o indica en la página Carpetas dónde está ahora la carpeta.</translation>
    </message>
    <message>
        <source>No action is needed. Your notes are untouched. If this problem occurs again, have the drive checked.</source>
        <translation>No hay que hacer nada. Tus notas están intactas. Si el problema se repite, haz que revisen la unidad.</translation>
    </message>
    <message>
        <source>You can still search by words. To restore search by meaning, check the language helpers.</source>
        <translation>Puedes seguir buscando por palabras. Para recuperar la búsqueda por significado, revisa los ayudantes de idioma.</translation>
    </message>
    <message>
        <source>QMD is not responding</source>
        <translation>QMD no responde</translation>
    </message>
    <message>
        <source>You can search the folders on this computer as usual. Scrubjay keeps trying to open the shared memory.</source>
        <translation>Puedes buscar como siempre en las carpetas de este equipo. Scrubjay sigue intentando abrir la memoria compartida.</translation>
    </message>
    <message>
        <source>Leftover data in a shared memory</source>
        <translation>Datos sobrantes en una memoria compartida</translation>
    </message>
    <message>
        <source>No action is needed. Scrubjay will delete this data when the folder is published again.</source>
        <translation>No hay que hacer nada. Scrubjay borrará estos datos cuando la carpeta se publique de nuevo.</translation>
    </message>
    <message>
        <source>Every program on this computer can read {keys} {keys:key|keys} in the settings file.</source>
        <translation>Cualquier programa de este equipo puede leer {keys} {keys:clave|claves} del archivo de ajustes.</translation>
    </message>
    <message>
        <source>Move every key to the keychain in Settings under “Service keys”, or with `scrubjay keys move`.</source>
        <translation>Pasa todas las claves al llavero en Ajustes, «Claves de servicios», o con `scrubjay keys move`.</translation>
    </message>
    <message>
        <source>The keychain is not responding</source>
        <translation>El llavero no responde</translation>
    </message>
    <message>
        <source>The file ends too early. It has {n} of {needed} MB</source>
        <translation>El archivo está cortado: tiene {n} de {needed} MB</translation>
    </message>
    <message>
        <source>The note is unchanged. Close it in the other program, then try again.</source>
        <translation>La nota no ha cambiado. Ciérrala en el otro programa y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>Pass a path inside the folder, such as ideas/note.md.</source>
        <translation>Pasa una ruta dentro de la carpeta, como ideas/nota.md.</translation>
    </message>
    <message>
        <source>The path does not end with .md, .markdown or .txt.</source>
        <translation>La ruta no termina en .md, .markdown ni .txt.</translation>
    </message>
    <message>
        <source>Pass the path that memory_get shows, or add .md to the name of a new note.</source>
        <translation>Pasa la ruta que muestra memory_get o añade .md al nombre de una nota nueva.</translation>
    </message>
    <message>
        <source>The path is not inside the folder.</source>
        <translation>La ruta no está dentro de la carpeta.</translation>
    </message>
    <message>
        <source>This note is in an excluded folder, or a pattern excludes it.</source>
        <translation>Esta nota está en una carpeta excluida o la excluye un patrón.</translation>
    </message>
    <message>
        <source>{n} {n:file is|files are} not searched, because your patterns exclude {n:it|them}.</source>
        <translation>No se busca en {n} {n:archivo|archivos}, porque tus patrones {n:lo excluyen|los excluyen}.</translation>
    </message>
    <message>
        <source>Pass the path of a search result.</source>
        <translation>Pasa la ruta de un resultado de búsqueda.</translation>
    </message>
    <message>
        <source>Scrubjay does not have this setting.</source>
        <translation>Scrubjay no tiene este ajuste.</translation>
    </message>
    <message>
        <source>For similar suggestions in Scrubjay, turn on “Suggest additions to MEMORY.md” in the settings.</source>
        <translation>Para recibir propuestas parecidas en Scrubjay, activa «Proponer añadidos a MEMORY.md» en los ajustes.</translation>
    </message>
    <message>
        <source>In Scrubjay, this setting would apply to other folders as well.</source>
        <translation>En Scrubjay, este ajuste valdría también para otras carpetas.</translation>
    </message>
    <message>
        <source>Scrubjay reads the settings of OpenClaw, ClawCode and QMD.</source>
        <translation>Scrubjay lee los ajustes de OpenClaw, ClawCode y QMD.</translation>
    </message>
    <message>
        <source>{file} is not a settings file that Scrubjay knows</source>
        <translation>{file} no es un archivo de ajustes que Scrubjay conozca</translation>
    </message>
    <message>
        <source>To remove the program, use your software center or run “sudo apt remove scrubjay”.</source>
        <translation>Para quitar el programa, usa el centro de software o ejecuta «sudo apt remove scrubjay».</translation>
    </message>
    <message>
        <source>The keychain did not respond</source>
        <translation>El llavero no ha respondido</translation>
    </message>
    <message>
        <source>The system lets Scrubjay watch only {limit} folders, but {folders} need to be watched.</source>
        <translation>El sistema solo permite a Scrubjay vigilar {limit} carpetas, pero hay que vigilar {folders}.</translation>
    </message>
    <message>
        <source>Scrubjay checks the other folders for changes at regular intervals. The administrator of this computer can raise fs.inotify.max_user_watches.</source>
        <translation>Scrubjay busca cambios en las demás carpetas a intervalos regulares. Quien administra este equipo puede subir fs.inotify.max_user_watches.</translation>
    </message>
    <message>
        <source>Delete files that you do not need. Without free space, Scrubjay cannot read your changes.</source>
        <translation>Borra archivos que no necesites. Sin espacio libre, Scrubjay no puede leer tus cambios.</translation>
    </message>
    <message>
        <source>You can delete these files.</source>
        <translation>Puedes borrar estos archivos.</translation>
    </message>
    <message>
        <source>More findings of the same kind</source>
        <translation>Más avisos del mismo tipo</translation>
    </message>
    <message>
        <source>The file name indicates the type {kind}, but the content is {found}.</source>
        <translation>El nombre del archivo indica el tipo {kind}, pero el contenido es {found}.</translation>
    </message>
    <message>
        <source>The file name indicates the type {kind}, but the file is neither an image nor a recording.</source>
        <translation>El nombre del archivo indica el tipo {kind}, pero el archivo no es ni una imagen ni una grabación.</translation>
    </message>
    <message>
        <source>The file is no longer in any of the additional folders.</source>
        <translation>El archivo ya no está en ninguna carpeta adicional.</translation>
    </message>
    <message>
        <source>The file can be found only by its name. {answer}</source>
        <translation>El archivo solo se puede encontrar por su nombre. {answer}</translation>
    </message>
    <message>
        <source>The file has become too large.</source>
        <translation>El archivo es ahora demasiado grande.</translation>
    </message>
    <message>
        <source>The file has changed.</source>
        <translation>El archivo ha cambiado.</translation>
    </message>
    <message>
        <source>This is only a link to a file in another location.</source>
        <translation>Esto es solo un enlace a un archivo que está en otro sitio.</translation>
    </message>
    <message>
        <source>The folder {root} is empty. Its drive is probably not connected.</source>
        <translation>La carpeta {root} está vacía. Seguramente su unidad no está conectada.</translation>
    </message>
    <message>
        <source>The service is processing {n} {n:passage|passages} of your notes. Until it has finished, search finds {n:it|them} only by words.</source>
        <translation>El servicio está procesando {n} {n:fragmento|fragmentos} de tus notas. Hasta que termine, la búsqueda {n:lo|los} encuentra solo por palabras.</translation>
    </message>
    <message>
        <source>The results were discarded.</source>
        <translation>Se han descartado los resultados.</translation>
    </message>
    <message>
        <source>The user does not allow {name} to write to this workspace.</source>
        <translation>El usuario no permite que {name} escriba en esta carpeta de notas.</translation>
    </message>
    <message>
        <source>The user does not allow {name} to read this workspace.</source>
        <translation>El usuario no permite que {name} lea esta carpeta de notas.</translation>
    </message>
    <message>
        <source>The user was asked for permission and refused it.</source>
        <translation>Se preguntó al usuario y no dio permiso.</translation>
    </message>
    <message>
        <source>Only the user can change this, on the Agents page in Scrubjay or with `scrubjay agents allow {name}{flag}`.</source>
        <translation>Solo el usuario puede cambiarlo, en la página Agentes de Scrubjay o con `scrubjay agents allow {name}{flag}`.</translation>
    </message>
    <message>
        <source>This takes effect only if the agent is connected with `scrubjay connect`, or starts `scrubjay mcp --as {name}`.</source>
        <translation>Esto surte efecto solo si el agente está conectado con `scrubjay connect` o inicia `scrubjay mcp --as {name}`.</translation>
    </message>
    <message>
        <source>Ask the user to add a folder in Scrubjay or with `scrubjay workspace add`.</source>
        <translation>Pide al usuario que añada una carpeta en Scrubjay o con `scrubjay workspace add`.</translation>
    </message>
    <message>
        <source>The token must consist of at least {n} ASCII characters.</source>
        <translation>El token debe constar de al menos {n} caracteres ASCII.</translation>
    </message>
    <message>
        <source>Another program may be using the port.</source>
        <translation>Puede que otro programa use el puerto.</translation>
    </message>
    <message>
        <source>Choose another port with --port.</source>
        <translation>Elige otro puerto con --port.</translation>
    </message>
    <message>
        <source>The file is not encoded as UTF-8.</source>
        <translation>El archivo no está codificado en UTF-8.</translation>
    </message>
    <message>
        <source>Specify a workspace</source>
        <translation>Indica una carpeta de notas</translation>
    </message>
    <message>
        <source>Read the {name} at {url}.</source>
        <translation>Lee {name} en {url}.</translation>
    </message>
    <message>
        <source>Accept the terms in Settings under “Language helpers”, or with the option --accept-terms.</source>
        <translation>Acepta las condiciones en Ajustes, «Ayudantes de idioma», o con la opción --accept-terms.</translation>
    </message>
    <message>
        <source>The download stopped unexpectedly ({error}).</source>
        <translation>La descarga se ha detenido de forma inesperada ({error}).</translation>
    </message>
    <message>
        <source>Another copy of Scrubjay is downloading this file.</source>
        <translation>Otra copia de Scrubjay está descargando este archivo.</translation>
    </message>
    <message>
        <source>Wait until the download has finished.</source>
        <translation>Espera a que termine la descarga.</translation>
    </message>
    <message>
        <source>Wait until the other program has finished.</source>
        <translation>Espera a que termine el otro programa.</translation>
    </message>
    <message>
        <source>Someone may have replaced the file. Nothing was downloaded.</source>
        <translation>Puede que alguien haya cambiado el archivo. No se ha descargado nada.</translation>
    </message>
    <message>
        <source>Scrubjay can read {folder} again.</source>
        <translation>Scrubjay puede leer {folder} de nuevo.</translation>
    </message>
    <message>
        <source>Check the name, or choose another language helper.</source>
        <translation>Comprueba el nombre o elige otro ayudante de idioma.</translation>
    </message>
    <message>
        <source>The server {host} responded with error {status}</source>
        <translation>El servidor {host} ha respondido con el error {status}</translation>
    </message>
    <message>
        <source>This language helper comes with Scrubjay.</source>
        <translation>Este ayudante de idioma viene con Scrubjay.</translation>
    </message>
    <message>
        <source>The server responded with error {status}.</source>
        <translation>El servidor ha respondido con el error {status}.</translation>
    </message>
    <message>
        <source>Scrubjay does not support this network&apos;s proxy ({scheme})</source>
        <translation>Scrubjay no admite el proxy de esta red ({scheme})</translation>
    </message>
    <message>
        <source>Check the internet connection, then continue. The part that was downloaded is kept. You can also use a file that you already have.</source>
        <translation>Comprueba la conexión a internet y continúa. Se conserva la parte descargada. También puedes usar un archivo que ya tengas.</translation>
    </message>
    <message>
        <source>If you are at work or at school, ask the network administrator whether the network inspects secure connections.</source>
        <translation>Si estás en el trabajo o en un centro escolar, pregunta a quien administra la red si esta inspecciona las conexiones seguras.</translation>
    </message>
    <message>
        <source>No data arrived for {n} s</source>
        <translation>No han llegado datos en {n} s</translation>
    </message>
    <message>
        <source>The connection was lost. {error}</source>
        <translation>Se ha perdido la conexión. {error}</translation>
    </message>
    <message>
        <source>The connection was lost</source>
        <translation>Se ha perdido la conexión</translation>
    </message>
    <message>
        <source>The server sent a part of the file that Scrubjay did not request</source>
        <translation>El servidor ha enviado una parte del archivo que Scrubjay no había pedido</translation>
    </message>
    <message>
        <source>The server sent something other than the file, such as a login page</source>
        <translation>El servidor ha enviado algo distinto del archivo, como una página para iniciar sesión</translation>
    </message>
    <message>
        <source>The file cannot be downloaded</source>
        <translation>No se puede descargar el archivo</translation>
    </message>
    <message>
        <source>The file does not say how much text the language helper accepts or how many numbers it returns</source>
        <translation>El archivo no dice cuánto texto admite el ayudante de idioma ni cuántos números devuelve</translation>
    </message>
    <message>
        <source>The beginning of the file is damaged</source>
        <translation>El principio del archivo está dañado</translation>
    </message>
    <message>
        <source>The file is not a language helper</source>
        <translation>El archivo no es un ayudante de idioma</translation>
    </message>
    <message>
        <source>The file uses format version {version}, which this version of Scrubjay does not support</source>
        <translation>El archivo usa la versión {version} del formato, que esta versión de Scrubjay no admite</translation>
    </message>
    <message>
        <source>The file does not exist</source>
        <translation>El archivo no existe</translation>
    </message>
    <message>
        <source>Check the file name.</source>
        <translation>Comprueba el nombre del archivo.</translation>
    </message>
    <message>
        <source>Choose another language helper first, then remove this one.</source>
        <translation>Elige antes otro ayudante de idioma y luego quita este.</translation>
    </message>
    <message>
        <source>This language helper cannot be downloaded</source>
        <translation>Este ayudante de idioma no se puede descargar</translation>
    </message>
    <message>
        <source>{name} is in use</source>
        <translation>{name} está en uso</translation>
    </message>
    <message>
        <source>{name} is neither an address nor a language helper in the list.</source>
        <translation>{name} no es una dirección ni un ayudante de idioma de la lista.</translation>
    </message>
    <message>
        <source>The download of the language helper is continuing.</source>
        <translation>La descarga del ayudante de idioma continúa.</translation>
    </message>
    <message>
        <source>Another copy of Scrubjay is downloading this language helper.</source>
        <translation>Otra copia de Scrubjay está descargando este ayudante de idioma.</translation>
    </message>
    <message>
        <source>{name} has changed since the last check. Check the file again.</source>
        <translation>{name} ha cambiado desde la última comprobación. Vuelve a comprobar el archivo.</translation>
    </message>
    <message>
        <source>{name} has the wrong size. Download the file again.</source>
        <translation>{name} tiene un tamaño incorrecto. Vuelve a descargar el archivo.</translation>
    </message>
    <message>
        <source>This language helper does not exist</source>
        <translation>Este ayudante de idioma no existe</translation>
    </message>
    <message>
        <source>{name} is neither a file nor a language helper in the list.</source>
        <translation>{name} no es un archivo ni un ayudante de idioma de la lista.</translation>
    </message>
    <message>
        <source>Remove the file, then download it again.</source>
        <translation>Quita el archivo y vuelve a descargarlo.</translation>
    </message>
    <message>
        <source>{name} contains too many files</source>
        <translation>{name} contiene demasiados archivos</translation>
    </message>
    <message>
        <source>{name} does not exist</source>
        <translation>{name} no existe</translation>
    </message>
    <message>
        <source>{name} is not an export that Scrubjay can read</source>
        <translation>{name} no es una exportación que Scrubjay pueda leer</translation>
    </message>
    <message>
        <source>Scrubjay can search this folder as it is, even if it is a Logseq graph.</source>
        <translation>Scrubjay puede buscar en esta carpeta tal como está, aunque sea un grafo de Logseq.</translation>
    </message>
    <message>
        <source>Add this folder on the Folders page instead.</source>
        <translation>Añade esta carpeta en la página Carpetas.</translation>
    </message>
    <message>
        <source>The file is damaged or incomplete. Only the notes before the damaged part are imported.</source>
        <translation>El archivo está dañado o incompleto. Solo se importan las notas anteriores a la parte dañada.</translation>
    </message>
    <message>
        <source>The text of the note is too long.</source>
        <translation>El texto de la nota es demasiado largo.</translation>
    </message>
    <message>
        <source>The folder does not exist</source>
        <translation>La carpeta no existe</translation>
    </message>
    <message>
        <source>The folder does not exist.</source>
        <translation>La carpeta no existe.</translation>
    </message>
    <message>
        <source>Another program keeps changing the note. Nothing was written.</source>
        <translation>Otro programa cambia la nota todo el tiempo. No se ha escrito nada.</translation>
    </message>
    <message>
        <source>Wait until the other program has finished, then try again.</source>
        <translation>Espera a que termine el otro programa y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>{file} is only a link to another file</source>
        <translation>{file} es solo un enlace a otro archivo</translation>
    </message>
    <message>
        <source>The text contains characters that cannot be saved.</source>
        <translation>El texto contiene caracteres que no se pueden guardar.</translation>
    </message>
    <message>
        <source>This text cannot be saved</source>
        <translation>Este texto no se puede guardar</translation>
    </message>
    <message>
        <source>This text is too long for a daily note</source>
        <translation>Este texto es demasiado largo para una nota diaria</translation>
    </message>
    <message>
        <source>Write the text in a separate note.</source>
        <translation>Escribe el texto en una nota aparte.</translation>
    </message>
    <message>
        <source>Open the file in a text editor and copy the text into a new note, then try again.</source>
        <translation>Abre el archivo en un editor de texto, copia el texto en una nota nueva y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>Save the file in a newer text editor, then try again.</source>
        <translation>Guarda el archivo con un editor de texto más nuevo y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>{file} cannot store the character {letter}</source>
        <translation>{file} no admite el carácter {letter}</translation>
    </message>
    <message>
        <source>An older program saved the file in the text format {codec}. Nothing was written.</source>
        <translation>Un programa antiguo guardó el archivo en el formato de texto {codec}. No se ha escrito nada.</translation>
    </message>
    <message>
        <source>Check the note, then try again.</source>
        <translation>Revisa la nota y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The note is unchanged. Check that the folder is writable and the disk is not full.</source>
        <translation>La nota no ha cambiado. Comprueba que se pueda escribir en la carpeta y que el disco no esté lleno.</translation>
    </message>
    <message>
        <source>Nothing was written to the note.</source>
        <translation>No se ha escrito nada en la nota.</translation>
    </message>
    <message>
        <source>There are no earlier changes left to undo.</source>
        <translation>No quedan cambios anteriores que deshacer.</translation>
    </message>
    <message>
        <source>Scrubjay does not follow links to files or folders.</source>
        <translation>Scrubjay no sigue enlaces a archivos ni a carpetas.</translation>
    </message>
    <message>
        <source>Allow writing to the folder, then try again.</source>
        <translation>Permite escribir en la carpeta y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>This is not a file.</source>
        <translation>Esto no es un archivo.</translation>
    </message>
    <message>
        <source>The file is not one of the notes in this folder.</source>
        <translation>El archivo no está entre las notas de esta carpeta.</translation>
    </message>
    <message>
        <source>The file is not text, or was saved by an old program. To make the text searchable, open the file in a text editor and copy the text into a new note.</source>
        <translation>El archivo no es texto, o lo guardó un programa antiguo. Para que se busque en él, ábrelo en un editor de texto y copia el texto en una nota nueva.</translation>
    </message>
    <message>
        <source>The file cannot be read ({reason}).</source>
        <translation>No se puede leer el archivo ({reason}).</translation>
    </message>
    <message>
        <source>The file does not look like text. It may be an image or a program.</source>
        <translation>El archivo no parece texto. Quizá sea una imagen o un programa.</translation>
    </message>
    <message>
        <source>The drive did not respond when Scrubjay tried to read the file. Scrubjay will try again at the next check.</source>
        <translation>La unidad no respondió al leer el archivo. Scrubjay volverá a intentarlo en la próxima comprobación.</translation>
    </message>
    <message>
        <source>The file is larger than {n} MB.</source>
        <translation>El archivo ocupa más de {n} MB.</translation>
    </message>
    <message>
        <source>The file is larger than the settings allow.</source>
        <translation>El archivo es más grande de lo que permiten los ajustes.</translation>
    </message>
    <message>
        <source>The folder {folder} does not exist.</source>
        <translation>La carpeta {folder} no existe.</translation>
    </message>
    <message>
        <source>This list of questions was created by a newer version of Scrubjay</source>
        <translation>Esta lista de preguntas la creó una versión más reciente de Scrubjay</translation>
    </message>
    <message>
        <source>Agents use the scrubjay command to start Scrubjay.</source>
        <translation>Los agentes usan la orden scrubjay para iniciar Scrubjay.</translation>
    </message>
    <message>
        <source>{key} is not a TOML table</source>
        <translation>{key} no es una tabla TOML</translation>
    </message>
    <message>
        <source>Another program is working on the suggestions for MEMORY.md</source>
        <translation>Otro programa está trabajando en las propuestas para MEMORY.md</translation>
    </message>
    <message>
        <source>Another program has held the lock file {lock} for more than {n} seconds.</source>
        <translation>Otro programa retiene el archivo de bloqueo {lock} desde hace más de {n} segundos.</translation>
    </message>
    <message>
        <source>Scrubjay saves the results of each run in memory/.dreams.</source>
        <translation>Scrubjay guarda los resultados de cada pasada en memory/.dreams.</translation>
    </message>
    <message>
        <source>Nothing was changed. Open the file in a text editor, copy its text into a new file and give the new file the same name.</source>
        <translation>No se ha cambiado nada. Abre el archivo en un editor de texto, copia su texto en un archivo nuevo y ponle el mismo nombre.</translation>
    </message>
    <message>
        <source>Delete the added lines from MEMORY.md yourself. They were taken from {names}. {hint}</source>
        <translation>Borra tú de MEMORY.md las líneas añadidas. Se tomaron de {names}. {hint}</translation>
    </message>
    <message>
        <source>The search index was damaged. Scrubjay is rebuilding it. Your notes are unchanged.</source>
        <translation>El índice de búsqueda estaba dañado. Scrubjay lo vuelve a crear. Tus notas están intactas.</translation>
    </message>
    <message>
        <source>Scrubjay ignores this entry because it does not say where the folder is.</source>
        <translation>Scrubjay omite esta entrada porque no dice dónde está la carpeta.</translation>
    </message>
    <message>
        <source>Language helper and search index</source>
        <translation>Ayudante de idioma e índice de búsqueda</translation>
    </message>
    <message>
        <source>Enter a time in hours and minutes, such as 03:00.</source>
        <translation>Escribe una hora con horas y minutos, como 03:00.</translation>
    </message>
    <message>
        <source>Language helper file</source>
        <translation>Archivo del ayudante de idioma</translation>
    </message>
    <message>
        <source>Enter the path of a .gguf file or an hf: address. Leave this empty to use the best language helper on this computer.</source>
        <translation>Escribe la ruta de un archivo .gguf o una dirección hf:. Déjalo vacío para usar el mejor ayudante de idioma de este equipo.</translation>
    </message>
    <message>
        <source>Search index</source>
        <translation>Índice de búsqueda</translation>
    </message>
    <message>
        <source>If Scrubjay finds the same text later, it does not have to prepare the text for search by meaning again.</source>
        <translation>Si Scrubjay encuentra más tarde el mismo texto, no tiene que volver a prepararlo para la búsqueda por significado.</translation>
    </message>
    <message>
        <source>Scrubjay leaves out passwords and keys from conversations. Also add “sessions” to “Sources to search”.</source>
        <translation>Las contraseñas y claves de las conversaciones se omiten. Añade también «sessions» en «Fuentes en las que se busca».</translation>
    </message>
    <message>
        <source>Service for search by meaning</source>
        <translation>Servicio para la búsqueda por significado</translation>
    </message>
    <message>
        <source>Used when the service for search by meaning does not respond.</source>
        <translation>Se usa cuando el servicio para la búsqueda por significado no responde.</translation>
    </message>
    <message>
        <source>Number of values that describe each passage</source>
        <translation>Número de valores que describen cada fragmento</translation>
    </message>
    <message>
        <source>Enter 0 to use the language helper&apos;s default. Fewer values take up less disk space.</source>
        <translation>Escribe 0 para usar el valor habitual del ayudante de idioma. Menos valores ocupan menos espacio en el disco.</translation>
    </message>
    <message>
        <source>Show the source below each result</source>
        <translation>Mostrar la fuente bajo cada resultado</translation>
    </message>
    <message>
        <source>Applies to agents. “Automatic” shows the source in direct chats only.</source>
        <translation>Se aplica a los agentes. «Automático» muestra la fuente solo en chats directos.</translation>
    </message>
    <message>
        <source>Notes with older dates move down. Notes without a date are not affected.</source>
        <translation>Las notas con fechas más antiguas bajan. A las notas sin fecha no les afecta.</translation>
    </message>
    <message>
        <source>Weight of search by meaning</source>
        <translation>Peso de la búsqueda por significado</translation>
    </message>
    <message>
        <source>Weight of search by words</source>
        <translation>Peso de la búsqueda por palabras</translation>
    </message>
    <message>
        <source>You can set different permissions for an agent or a folder on the Agents page.</source>
        <translation>Puedes dar otros permisos a un agente o una carpeta en la página Agentes.</translation>
    </message>
    <message>
        <source>When this is on, Scrubjay does not use online services, even if you have chosen one. When this is off, no note leaves this computer until you choose a service and agree.</source>
        <translation>Si está activado, Scrubjay no usa servicios de internet, aunque hayas elegido uno. Si está desactivado, ninguna nota sale de este equipo hasta que elijas un servicio y aceptes.</translation>
    </message>
    <message>
        <source>Scrubjay currently searches only notes. To search images and recordings, choose {wanted}.</source>
        <translation>Scrubjay solo busca en las notas. Para buscar imágenes y grabaciones, elige {wanted}.</translation>
    </message>
    <message>
        <source>Scrubjay currently searches only notes. To search images and recordings, set “Fallback” to “None”.</source>
        <translation>Scrubjay solo busca en las notas. Para buscar imágenes y grabaciones, pon «Quién lo sustituye» en «Nadie».</translation>
    </message>
    <message>
        <source>The overlap must be smaller than the size of a passage. Scrubjay is using {overlap} instead of {asked}.</source>
        <translation>El texto común debe ser menor que el tamaño de un fragmento. Scrubjay está usando {overlap} en lugar de {asked}.</translation>
    </message>
    <message>
        <source>The document contains more than {n} million HTML tags.</source>
        <translation>El documento contiene más de {n} millones de etiquetas HTML.</translation>
    </message>
    <message>
        <source>The file is damaged or is not a valid {ending} file.</source>
        <translation>El archivo está dañado o no es un archivo {ending} válido.</translation>
    </message>
    <message>
        <source>The document defines XML entities, which Scrubjay does not allow for security reasons.</source>
        <translation>El documento define entidades XML, que Scrubjay no admite por motivos de seguridad.</translation>
    </message>
    <message>
        <source>This language helper does not support search by meaning</source>
        <translation>Este ayudante de idioma no admite la búsqueda por significado</translation>
    </message>
    <message>
        <source>The language helper could not start</source>
        <translation>El ayudante de idioma no se ha podido iniciar</translation>
    </message>
    <message>
        <source>To add the key, go to Settings under “Service keys”, run `scrubjay keys set {id}` or set {key_variable}. To find a key that is already in the keychain, run `scrubjay keys list`.</source>
        <translation>Para añadir la clave, ve a Ajustes, «Claves de servicios», ejecuta `scrubjay keys set {id}` o define {key_variable}. Para encontrar una clave que ya esté en el llavero, ejecuta `scrubjay keys list`.</translation>
    </message>
    <message>
        <source>At the next check, Scrubjay will prepare the notes for search by meaning again.</source>
        <translation>Scrubjay volverá a preparar las notas para la búsqueda por significado en la próxima comprobación.</translation>
    </message>
    <message>
        <source>The notes were last prepared for search by meaning with another language helper.</source>
        <translation>La última vez, las notas se prepararon para la búsqueda por significado con otro ayudante de idioma.</translation>
    </message>
    <message>
        <source>The fallback is still preparing the notes for search by meaning</source>
        <translation>El ayudante que lo sustituye aún está preparando las notas para la búsqueda por significado</translation>
    </message>
    <message>
        <source>There is no fallback</source>
        <translation>No hay quien lo sustituya</translation>
    </message>
    <message>
        <source>No service key was found.</source>
        <translation>No se ha encontrado ninguna clave de servicio.</translation>
    </message>
    <message>
        <source>This is not a valid key</source>
        <translation>Esta clave no es válida</translation>
    </message>
    <message>
        <source>A key is a single line of unaccented letters, digits and symbols.</source>
        <translation>Una clave es una sola línea de letras sin acentos, cifras y símbolos.</translation>
    </message>
    <message>
        <source>The notes in this folder are read on another computer. On this computer, you can only search them.</source>
        <translation>Las notas de esta carpeta se leen en otro equipo. En este equipo solo puedes buscar en ellas.</translation>
    </message>
    <message>
        <source>Choose a name that is not one of those that Windows uses for devices, with or without an extension: {names}.</source>
        <translation>Elige un nombre que no sea uno de los que Windows usa para dispositivos, con o sin extensión: {names}.</translation>
    </message>
    <message>
        <source>Search by meaning did not finish within {seconds} seconds for some of the OR alternatives.</source>
        <translation>La búsqueda por significado no ha terminado en {seconds} segundos para algunas de las alternativas con OR.</translation>
    </message>
    <message>
        <source>Agents may change my notes</source>
        <translation>Los agentes pueden cambiar mis notas</translation>
    </message>
    <message>
        <source>With “After my review”, changes wait on the Agents page until you accept them. An agent can still write to its own memory without asking.</source>
        <translation>Con «Tras mi revisión», los cambios esperan en la página Agentes hasta que los aceptes. Un agente puede seguir escribiendo en su propia memoria sin preguntar.</translation>
    </message>
    <message>
        <source>The picture has more than 120 million pixels, so Scrubjay does not read it.</source>
        <translation>La imagen tiene más de 120 millones de píxeles, así que Scrubjay no la lee.</translation>
    </message>
    <message>
        <source>Scrubjay cannot read pictures because a part of the program is missing. Install Scrubjay again. If you use pipx, run: pipx install --force &quot;scrubjay[pictures]&quot;</source>
        <translation>Scrubjay no puede leer imágenes porque falta una parte del programa. Vuelve a instalar Scrubjay. Si usas pipx, ejecuta: pipx install --force &quot;scrubjay[pictures]&quot;</translation>
    </message>
    <message>
        <source>Stop sharing the folder first. Otherwise, other people will still find the notes that are published at the current location.</source>
        <translation>Deja antes de compartir la carpeta. Si no, los demás seguirán encontrando las notas publicadas en la ubicación actual.</translation>
    </message>
    <message>
        <source>Share a folder at this location first.</source>
        <translation>Comparte primero una carpeta en esta ubicación.</translation>
    </message>
    <message>
        <source>Questions from agents, suggestions, and facts to review</source>
        <translation>Preguntas de los agentes, propuestas y datos por revisar</translation>
    </message>
    <message>
        <source>The sample notes stay in {folder}.</source>
        <translation>Las notas de ejemplo se quedan en {folder}.</translation>
    </message>
    <message>
        <source>Language helpers that Scrubjay did not download or copy stay in {folder}.</source>
        <translation>Los ayudantes de idioma que Scrubjay no descargó ni copió se quedan en {folder}.</translation>
    </message>
    <message>
        <source>The shared memory {name} was published with a newer version of Scrubjay</source>
        <translation>La memoria compartida {name} se publicó con una versión más reciente de Scrubjay</translation>
    </message>
    <message>
        <source>Move the text that agents do not load to another note.</source>
        <translation>Pasa a otra nota el texto que los agentes no cargan.</translation>
    </message>
    <message>
        <source>Fix or move the file, then check again.</source>
        <translation>Arregla o mueve el archivo y repite la comprobación.</translation>
    </message>
    <message>
        <source>Let Scrubjay read the notes in this folder again. Your notes will not change.</source>
        <translation>Deja que Scrubjay vuelva a leer las notas de esta carpeta. Tus notas no cambiarán.</translation>
    </message>
    <message>
        <source>A search index was damaged</source>
        <translation>Un índice de búsqueda estaba dañado</translation>
    </message>
    <message>
        <source>Scrubjay rebuilt the search index of {workspace} on {day}.</source>
        <translation>Scrubjay volvió a crear el índice de búsqueda de {workspace} el {day}.</translation>
    </message>
    <message>
        <source>Until QMD responds, Scrubjay searches without it. Try running QMD in a terminal, or set memory.backend to builtin.</source>
        <translation>Hasta que QMD responda, Scrubjay busca sin él. Prueba a ejecutar QMD en una terminal, o pon memory.backend en builtin.</translation>
    </message>
    <message>
        <source>Not all folders can be watched for changes</source>
        <translation>No se pueden vigilar los cambios de todas las carpetas</translation>
    </message>
    <message>
        <source>Only {free} MB is free on the disk where Scrubjay keeps its search indexes.</source>
        <translation>Solo quedan {free} MB libres en el disco donde Scrubjay guarda sus índices de búsqueda.</translation>
    </message>
    <message>
        <source>{files} unfinished {files:download takes up|downloads take up} {size} MB.</source>
        <translation>{files} {files:descarga sin terminar ocupa|descargas sin terminar ocupan} {size} MB.</translation>
    </message>
    <message>
        <source>Fix the problems that are listed, then check again.</source>
        <translation>Corrige los problemas que se muestran y vuelve a comprobar.</translation>
    </message>
    <message>
        <source>You chose to leave this as it is.</source>
        <translation>Has elegido dejarlo como está.</translation>
    </message>
    <message>
        <source>{added} {added:line is|lines are} only in the copy, and {removed} only in the note. One of these lines is “{first}”.</source>
        <translation>{added} {added:línea está|líneas están} solo en la copia y {removed} solo en la nota. Una de estas líneas es «{first}».</translation>
    </message>
    <message>
        <source>Both files have the same text.</source>
        <translation>Ambos archivos tienen el mismo texto.</translation>
    </message>
    <message>
        <source>They differ only in blank lines.</source>
        <translation>Solo se diferencian en líneas en blanco.</translation>
    </message>
    <message>
        <source>Scrubjay again notices changes in all available folders immediately.</source>
        <translation>Scrubjay vuelve a detectar de inmediato los cambios en todas las carpetas disponibles.</translation>
    </message>
    <message>
        <source>{file} cannot be deleted now ({reason}). Scrubjay will try again each time it starts.</source>
        <translation>{file} no se puede eliminar ahora ({reason}). Scrubjay volverá a intentarlo cada vez que se inicie.</translation>
    </message>
    <message>
        <source>The search index of {name} still exists</source>
        <translation>El índice de búsqueda de {name} todavía existe</translation>
    </message>
    <message>
        <source>{reason} Scrubjay continues to send your notes at the normal price.</source>
        <translation>{reason} Scrubjay sigue enviando tus notas al precio normal.</translation>
    </message>
    <message>
        <source>The search index was damaged and is being rebuilt</source>
        <translation>El índice de búsqueda estaba dañado y se está creando de nuevo</translation>
    </message>
    <message>
        <source>Pictures are read when the computer is plugged in.</source>
        <translation>Las imágenes se leen cuando el equipo está enchufado.</translation>
    </message>
    <message>
        <source>Pictures are read a few seconds after your last search.</source>
        <translation>Las imágenes se leen unos segundos después de tu última búsqueda.</translation>
    </message>
    <message>
        <source>{why} The user can allow access with `scrubjay agents allow {name} --workspace {workspace}{flag}`.</source>
        <translation>{why} El usuario puede permitir el acceso con `scrubjay agents allow {name} --workspace {workspace}{flag}`.</translation>
    </message>
    <message>
        <source>Pass one of these names, or omit the workspace argument.</source>
        <translation>Indica uno de estos nombres u omite el argumento workspace.</translation>
    </message>
    <message>
        <source>The user was not asked, because other workspaces could be used without asking. To ask for permission, pass the workspace argument.</source>
        <translation>No se preguntó al usuario, porque se podían usar otras carpetas sin preguntar. Para pedir permiso, indica el argumento workspace.</translation>
    </message>
    <message>
        <source>Scrubjay is not open, so the user could not be asked for permission.</source>
        <translation>Scrubjay no está abierto, así que no se pudo pedir permiso al usuario.</translation>
    </message>
    <message>
        <source>The user was asked for permission but did not answer.</source>
        <translation>Se pidió permiso al usuario, pero no respondió.</translation>
    </message>
    <message>
        <source>{agent} is not allowed to write to {name}</source>
        <translation>{agent} no tiene permiso para escribir en {name}</translation>
    </message>
    <message>
        <source>{agent} is not allowed to write to any workspace</source>
        <translation>{agent} no tiene permiso para escribir en ninguna carpeta de notas</translation>
    </message>
    <message>
        <source>{agent} is not allowed to read {name}</source>
        <translation>{agent} no tiene permiso para leer {name}</translation>
    </message>
    <message>
        <source>{agent} is not allowed to read any workspace</source>
        <translation>{agent} no tiene permiso para leer ninguna carpeta de notas</translation>
    </message>
    <message>
        <source>Scrubjay could not answer in time</source>
        <translation>Scrubjay no pudo responder a tiempo</translation>
    </message>
    <message>
        <source>Try again in a minute. If that fails too, ask the user to check whether the drive with the notes responds.</source>
        <translation>Vuelve a intentarlo en un minuto. Si eso también falla, pide al usuario que compruebe si la unidad con las notas responde.</translation>
    </message>
    <message>
        <source>This cursor is not valid</source>
        <translation>Este cursor no es válido</translation>
    </message>
    <message>
        <source>Pass the nextCursor of an earlier answer, or omit the cursor to begin again.</source>
        <translation>Pasa el nextCursor de una respuesta anterior, u omite el cursor para empezar de nuevo.</translation>
    </message>
    <message>
        <source>{name} is the name of several notes</source>
        <translation>{name} es el nombre de varias notas</translation>
    </message>
    <message>
        <source>The server stopped</source>
        <translation>El servidor se ha detenido</translation>
    </message>
    <message>
        <source>Its answers could not be written ({reason}).</source>
        <translation>No se pudieron escribir sus respuestas ({reason}).</translation>
    </message>
    <message>
        <source>Pass that action, or leave out the argument.</source>
        <translation>Pasa esa acción u omite el argumento.</translation>
    </message>
    <message>
        <source>{name} was called with invalid arguments</source>
        <translation>Se ha llamado a {name} con argumentos no válidos</translation>
    </message>
    <message>
        <source>The argument {name} needs action {action}</source>
        <translation>El argumento {name} necesita la acción {action}</translation>
    </message>
    <message>
        <source>You may change only notes that you may read.</source>
        <translation>Solo puedes cambiar notas que puedes leer.</translation>
    </message>
    <message>
        <source>Without a path, the text is added to today&apos;s note.</source>
        <translation>Sin path, el texto se añade a la nota de hoy.</translation>
    </message>
    <message>
        <source>The change was not confirmed in time</source>
        <translation>El cambio no se confirmó a tiempo</translation>
    </message>
    <message>
        <source>Read the note to see whether it was changed before you try again.</source>
        <translation>Lee la nota para ver si ha cambiado antes de volver a intentarlo.</translation>
    </message>
    <message>
        <source>The search index did not respond in time.</source>
        <translation>El índice de búsqueda no ha respondido a tiempo.</translation>
    </message>
    <message>
        <source>The HF_HUB_OFFLINE setting turns off downloads on this computer.</source>
        <translation>El ajuste HF_HUB_OFFLINE desactiva las descargas en este equipo.</translation>
    </message>
    <message>
        <source>Ask the administrator of this computer to remove the HF_HUB_OFFLINE setting.</source>
        <translation>Pide a quien administra este equipo que quite el ajuste HF_HUB_OFFLINE.</translation>
    </message>
    <message>
        <source>Free some space, then continue the download. The part that is already downloaded is kept.</source>
        <translation>Libera espacio y continúa la descarga. Se conserva la parte ya descargada.</translation>
    </message>
    <message>
        <source>Your own copy, {file}, was not deleted.</source>
        <translation>Tu propia copia, {file}, no se ha borrado.</translation>
    </message>
    <message>
        <source>Choose a language helper.</source>
        <translation>Elige un ayudante de idioma.</translation>
    </message>
    <message>
        <source>Choose a language helper in Settings under “Language helpers”, or run `scrubjay models list`. An address has the form hf:OWNER/REPOSITORY/FILE.gguf.</source>
        <translation>Elige un ayudante de idioma en Ajustes, «Ayudantes de idioma», o ejecuta `scrubjay models list`. Una dirección tiene la forma hf:OWNER/REPOSITORY/FILE.gguf.</translation>
    </message>
    <message>
        <source>If you have its file, add it in Settings under “Language helpers”, or run `scrubjay models import FILE`.</source>
        <translation>Si tienes su archivo, añádelo en Ajustes, en «Ayudantes de idioma», o ejecuta `scrubjay models import FILE`.</translation>
    </message>
    <message>
        <source>{file} came with Scrubjay or was added outside Scrubjay.</source>
        <translation>{file} vino con Scrubjay o se añadió fuera de Scrubjay.</translation>
    </message>
    <message>
        <source>A larger result reader is in use</source>
        <translation>Se está usando un lector de resultados más grande</translation>
    </message>
    <message>
        <source>Scrubjay uses the largest one that is installed, {file}.</source>
        <translation>Scrubjay usa el más grande de los instalados, {file}.</translation>
    </message>
    <message>
        <source>To use {name}, remove the larger one first.</source>
        <translation>Para usar {name}, quita primero el más grande.</translation>
    </message>
    <message>
        <source>It found more of your notes in a comparison</source>
        <translation>Encontró más de tus notas en una comparación</translation>
    </message>
    <message>
        <source>The file differs from the one that its publisher provides.</source>
        <translation>El archivo no es igual al que ofrece quien lo publica.</translation>
    </message>
    <message>
        <source>Choose another result reader.</source>
        <translation>Elige otro lector de resultados.</translation>
    </message>
    <message>
        <source>{name} cannot read results on this computer</source>
        <translation>{name} no puede leer resultados en este equipo</translation>
    </message>
    <message>
        <source>The export is too large when unpacked</source>
        <translation>La exportación, descomprimida, es demasiado grande</translation>
    </message>
    <message>
        <source>Scrubjay reads exports from Evernote, Notion, Google Keep, Joplin, Simplenote, Day One, Bear, ChatGPT and Claude, and HTML pages such as those from Apple Notes and OneNote.</source>
        <translation>Scrubjay lee exportaciones de Evernote, Notion, Google Keep, Joplin, Simplenote, Day One, Bear, ChatGPT y Claude, y páginas HTML como las de Apple Notes y OneNote.</translation>
    </message>
    <message>
        <source>Scrubjay imports only what you and the assistant wrote to each other.</source>
        <translation>Scrubjay importa solo los mensajes entre tú y el asistente.</translation>
    </message>
    <message>
        <source>Scrubjay does not import account data, feedback or settings.</source>
        <translation>Scrubjay no importa datos de la cuenta, valoraciones ni ajustes.</translation>
    </message>
    <message>
        <source>{n} tool {n:call or result|calls and results}</source>
        <translation>{n} {n:llamada o resultado|llamadas y resultados} de herramientas</translation>
    </message>
    <message>
        <source>{n} {n:passage|passages} of the assistant&apos;s reasoning</source>
        <translation>{n} {n:fragmento|fragmentos} del razonamiento del asistente</translation>
    </message>
    <message>
        <source>{n} hidden {n:message|messages}</source>
        <translation>{n} {n:mensaje oculto|mensajes ocultos}</translation>
    </message>
    <message>
        <source>{n} {n:message|messages} of other versions</source>
        <translation>{n} {n:mensaje|mensajes} de otras versiones</translation>
    </message>
    <message>
        <source>{n} {n:change|changes} to a canvas or artifact</source>
        <translation>{n} {n:cambio|cambios} en un lienzo o artefacto</translation>
    </message>
    <message>
        <source>{n} voice {n:recording|recordings}</source>
        <translation>{n} {n:grabación|grabaciones} de voz</translation>
    </message>
    <message>
        <source>{n} {n:picture or file|pictures and files}</source>
        <translation>{n} {n:imagen o archivo|imágenes y archivos}</translation>
    </message>
    <message>
        <source>{n} {n:conversation|conversations}</source>
        <translation>{n} {n:conversación|conversaciones}</translation>
    </message>
    <message>
        <source>The conversation is too long for a note.</source>
        <translation>La conversación es demasiado larga para una nota.</translation>
    </message>
    <message>
        <source>If a message was edited or an answer was generated again, only the version that was last shown is imported.</source>
        <translation>Si un mensaje se editó o una respuesta se volvió a generar, solo se importa la versión que se mostró por última vez.</translation>
    </message>
    <message>
        <source>Scrubjay does not import canvases and artifacts.</source>
        <translation>Scrubjay no importa lienzos ni artefactos.</translation>
    </message>
    <message>
        <source>Scrubjay imports only the transcript of a recording.</source>
        <translation>Scrubjay importa solo la transcripción de una grabación.</translation>
    </message>
    <message>
        <source>Scrubjay does not import conversations without text.</source>
        <translation>Scrubjay no importa conversaciones sin texto.</translation>
    </message>
    <message>
        <source>{n} {n:part|parts} of the kind &quot;{kind}&quot;</source>
        <translation>{n} {n:parte|partes} del tipo «{kind}»</translation>
    </message>
    <message>
        <source>Scrubjay does not know this kind of content.</source>
        <translation>Scrubjay no conoce este tipo de contenido.</translation>
    </message>
    <message>
        <source>{n} encrypted {n:passage|passages} of the note cannot be imported. Decrypt {n:it|them} in Evernote, then export the note again.</source>
        <translation>No se {n:puede|pueden} importar {n} {n:fragmento cifrado|fragmentos cifrados} de la nota. Descífra{n:lo|los} en Evernote y vuelve a exportar la nota.</translation>
    </message>
    <message>
        <source>{n} {n:attachment|attachments} of the note {n:is|are} not in the export.</source>
        <translation>{n} {n:adjunto|adjuntos} de la nota no {n:está|están} en la exportación.</translation>
    </message>
    <message>
        <source>{n} {n:file|files} not linked from any page {n:is|are} not imported.</source>
        <translation>No se {n:importa|importan} {n} {n:archivo al que|archivos a los que} no enlaza ninguna página.</translation>
    </message>
    <message>
        <source>Scrubjay does not write to linked files or folders. Nothing was written.</source>
        <translation>Scrubjay no escribe en archivos ni carpetas enlazados. No se ha escrito nada.</translation>
    </message>
    <message>
        <source>The text has {n} characters, but only {limit} can be added at a time.</source>
        <translation>El texto tiene {n} caracteres, pero solo se pueden añadir {limit} de una vez.</translation>
    </message>
    <message>
        <source>The document has no text in part {n}.</source>
        <translation>El documento no tiene texto en la parte {n}.</translation>
    </message>
    <message>
        <source>Scrubjay does not read folders that belong to other programs.</source>
        <translation>Scrubjay no lee las carpetas de otros programas.</translation>
    </message>
    <message>
        <source>The properties of the file cannot be read.</source>
        <translation>No se pueden leer las propiedades del archivo.</translation>
    </message>
    <message>
        <source>The note does not contain the text to be replaced.</source>
        <translation>La nota no contiene el texto que se quiere sustituir.</translation>
    </message>
    <message>
        <source>The text to be replaced occurs {n} times in the note.</source>
        <translation>El texto que se quiere sustituir aparece {n} veces en la nota.</translation>
    </message>
    <message>
        <source>The note does not have the heading {heading}.</source>
        <translation>La nota no tiene el encabezado {heading}.</translation>
    </message>
    <message>
        <source>The note has the heading {heading} {n} times.</source>
        <translation>La nota tiene el encabezado {heading} {n} veces.</translation>
    </message>
    <message>
        <source>{key} is not a valid property name.</source>
        <translation>{key} no es un nombre de propiedad válido.</translation>
    </message>
    <message>
        <source>The value of a property must be on one line.</source>
        <translation>El valor de una propiedad debe estar en una sola línea.</translation>
    </message>
    <message>
        <source>The note does not exist.</source>
        <translation>La nota no existe.</translation>
    </message>
    <message>
        <source>The note already exists.</source>
        <translation>La nota ya existe.</translation>
    </message>
    <message>
        <source>The folder {root} is not responding. Its drive may be disconnected.</source>
        <translation>La carpeta {root} no responde. Puede que su unidad esté desconectada.</translation>
    </message>
    <message>
        <source>You excluded this folder, but it no longer exists. If you renamed the folder, exclude it under its new name.</source>
        <translation>Dejaste fuera esta carpeta, pero ya no existe. Si le has cambiado el nombre, déjala fuera con el nombre nuevo.</translation>
    </message>
    <message>
        <source>The properties of the file cannot be read ({reason}).</source>
        <translation>No se pueden leer las propiedades del archivo ({reason}).</translation>
    </message>
    <message>
        <source>This is only a link to a file or folder. Add the folder that contains the original instead.</source>
        <translation>Esto es solo un enlace a un archivo o una carpeta. Añade en su lugar la carpeta que contiene el original.</translation>
    </message>
    <message>
        <source>This is not a regular file.</source>
        <translation>Esto no es un archivo normal.</translation>
    </message>
    <message>
        <source>This additional folder or file does not exist.</source>
        <translation>Esta carpeta o este archivo adicional no existe.</translation>
    </message>
    <message>
        <source>The file name contains characters that Scrubjay cannot read. To make the file searchable, rename it.</source>
        <translation>El nombre del archivo contiene letras que Scrubjay no puede leer. Cámbialo para que se busque en el archivo.</translation>
    </message>
    <message>
        <source>{reason}, so Scrubjay checks the folder every {n} seconds.</source>
        <translation>{reason}, así que Scrubjay revisa la carpeta cada {n} segundos.</translation>
    </message>
    <message>
        <source>The settings file does not exist</source>
        <translation>El archivo de ajustes no existe</translation>
    </message>
    <message>
        <source>This is not a QMD settings file</source>
        <translation>No es un archivo de ajustes de QMD</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>El archivo está vacío.</translation>
    </message>
    <message>
        <source>Scrubjay already searches this folder.</source>
        <translation>Scrubjay ya busca en esta carpeta.</translation>
    </message>
    <message>
        <source>This setting belongs to the other program and is not imported. To use a value of your own, set it in the Scrubjay settings.</source>
        <translation>Este ajuste es del otro programa y no se importa. Para usar un valor propio, indícalo en los ajustes de Scrubjay.</translation>
    </message>
    <message>
        <source>The folder that this setting belongs to is not imported.</source>
        <translation>No se importa la carpeta a la que pertenece este ajuste.</translation>
    </message>
    <message>
        <source>The network&apos;s proxy requires a user name and password</source>
        <translation>El proxy de la red pide un nombre de usuario y una contraseña</translation>
    </message>
    <message>
        <source>The network blocks the connection</source>
        <translation>La red bloquea la conexión</translation>
    </message>
    <message>
        <source>The response was incomplete or not valid</source>
        <translation>La respuesta estaba incompleta o no era válida</translation>
    </message>
    <message>
        <source>Services on the internet are not allowed</source>
        <translation>No se permiten servicios de internet</translation>
    </message>
    <message>
        <source>This computer does not trust the server&apos;s certificate</source>
        <translation>Este equipo no confía en el certificado del servidor</translation>
    </message>
    <message>
        <source>A secure connection could not be established</source>
        <translation>No se pudo establecer una conexión segura</translation>
    </message>
    <message>
        <source>The server was not found. There may be no network connection</source>
        <translation>No se ha encontrado el servidor. Puede que no haya conexión de red</translation>
    </message>
    <message>
        <source>To remove the program, delete the folder {folder}.</source>
        <translation>Para quitar el programa, borra la carpeta {folder}.</translation>
    </message>
    <message>
        <source>To remove the program, run “uv tool uninstall scrubjay” or “pip uninstall scrubjay”, or delete the folder that you downloaded it to.</source>
        <translation>Para quitar el programa, ejecuta «uv tool uninstall scrubjay» o «pip uninstall scrubjay», o borra la carpeta en la que lo descargaste.</translation>
    </message>
    <message>
        <source>To remove the program, open the Windows settings, choose “Installed apps”, and uninstall Scrubjay.</source>
        <translation>Para quitar el programa, abre los ajustes de Windows, elige «Aplicaciones instaladas» y desinstala Scrubjay.</translation>
    </message>
    <message>
        <source>To remove the program, move {folder} to the Trash.</source>
        <translation>Para quitar el programa, mueve {folder} a la papelera.</translation>
    </message>
    <message>
        <source>In the Scrubjay window, you can enter a key that is kept only until you quit Scrubjay.</source>
        <translation>En la ventana de Scrubjay puedes introducir una clave que solo se guarda hasta que salgas de Scrubjay.</translation>
    </message>
    <message>
        <source>The keychain is waiting for its password.</source>
        <translation>El llavero espera su contraseña.</translation>
    </message>
    <message>
        <source>Unlock the keychain, then try again.</source>
        <translation>Desbloquea el llavero y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>Keys cannot be stored on this computer</source>
        <translation>No se pueden guardar claves en este equipo</translation>
    </message>
    <message>
        <source>This computer has no keychain, or the keychain is turned off.</source>
        <translation>Este equipo no tiene llavero o el llavero está desactivado.</translation>
    </message>
    <message>
        <source>Another program may have changed the entry.</source>
        <translation>Puede que otro programa haya cambiado la entrada.</translation>
    </message>
    <message>
        <source>On Windows, a harmful document could still read your files and connect to other computers.</source>
        <translation>En Windows, un documento dañino aún podría leer tus archivos y conectarse a otros equipos.</translation>
    </message>
    <message>
        <source>The settings do not allow searches in this conversation (memory.qmd.scope).</source>
        <translation>Los ajustes no permiten buscar en esta conversación (memory.qmd.scope).</translation>
    </message>
    <message>
        <source>The file is not in that folder.</source>
        <translation>El archivo no está en esa carpeta.</translation>
    </message>
    <message>
        <source>QMD does not know these operators.</source>
        <translation>QMD no conoce estos operadores.</translation>
    </message>
    <message>
        <source>The program {name} was not found.</source>
        <translation>No se ha encontrado el programa {name}.</translation>
    </message>
    <message>
        <source>QMD sent a response that is too long.</source>
        <translation>QMD ha enviado una respuesta demasiado larga.</translation>
    </message>
    <message>
        <source>QMD did not respond within {seconds} seconds.</source>
        <translation>QMD no ha respondido en {seconds} segundos.</translation>
    </message>
    <message>
        <source>The address is missing</source>
        <translation>Falta la dirección</translation>
    </message>
    <message>
        <source>Enter a folder that others can access, or an address that starts with s3://, gs://, az:// or db://.</source>
        <translation>Indica una carpeta a la que otros tengan acceso, o una dirección que empiece por s3://, gs://, az:// o db://.</translation>
    </message>
    <message>
        <source>Remove the options.</source>
        <translation>Quita las opciones.</translation>
    </message>
    <message>
        <source>Write the options as NAME=VALUE,NAME=VALUE.</source>
        <translation>Escribe las opciones así: NOMBRE=VALOR,NOMBRE=VALOR.</translation>
    </message>
    <message>
        <source>{computer} is publishing this folder right now.</source>
        <translation>{computer} está publicando esta carpeta ahora mismo.</translation>
    </message>
    <message>
        <source>The folder will be published once it has been read.</source>
        <translation>La carpeta se publicará cuando se haya leído.</translation>
    </message>
    <message>
        <source>the file is read-only</source>
        <translation>el archivo es de solo lectura</translation>
    </message>
    <message>
        <source>the disk reported an error</source>
        <translation>el disco ha dado un error</translation>
    </message>
    <message>
        <source>the file cannot be opened</source>
        <translation>el archivo no se puede abrir</translation>
    </message>
    <message>
        <source>Another copy of Scrubjay is reading these notes</source>
        <translation>Otra copia de Scrubjay está leyendo estas notas</translation>
    </message>
    <message>
        <source>You can still search the notes.</source>
        <translation>Mientras tanto puedes buscar en las notas.</translation>
    </message>
    <message>
        <source>The file is a conversation, not a note.</source>
        <translation>El archivo es una conversación, no una nota.</translation>
    </message>
    <message>
        <source>The service does not accept the key</source>
        <translation>El servicio no acepta la clave</translation>
    </message>
    <message>
        <source>The region is unknown. Set aws_region=… in the options</source>
        <translation>No se conoce la región. Indica aws_region=… en las opciones</translation>
    </message>
    <message>
        <source>There is no key for the service</source>
        <translation>No hay clave para el servicio</translation>
    </message>
    <message>
        <source>Remove the secret from the settings and store it as a key instead: in Settings, under “Service keys”, or with `scrubjay keys set {place}`.</source>
        <translation>Quita el dato secreto de los ajustes y guárdalo como clave: en Ajustes, en «Claves de servicios», o con `scrubjay keys set {place}`.</translation>
    </message>
    <message>
        <source>Check whether the drive is connected. To create a shared memory there, share a folder in the app or with `scrubjay share`.</source>
        <translation>Comprueba si la unidad está conectada. Para crear ahí una memoria compartida, comparte una carpeta en la aplicación o con `scrubjay share`.</translation>
    </message>
    <message>
        <source>An address must not contain a user name or a password</source>
        <translation>Una dirección no debe contener un nombre de usuario ni una contraseña</translation>
    </message>
    <message>
        <source>Enter a folder, or an address that begins with s3://, gs://, az:// or db://.</source>
        <translation>Indica una carpeta o una dirección que empiece por s3://, gs://, az:// o db://.</translation>
    </message>
    <message>
        <source>Download the new version from {page}</source>
        <translation>Descarga la nueva versión en {page}</translation>
    </message>
    <message>
        <source>Check for newer versions where you got Scrubjay.</source>
        <translation>Busca versiones nuevas donde conseguiste Scrubjay.</translation>
    </message>
    <message>
        <source>The address of the list of versions is not secure.</source>
        <translation>La dirección de la lista de versiones no es segura.</translation>
    </message>
    <message>
        <source>The list of versions points to a page on another server.</source>
        <translation>La lista de versiones remite a una página de otro servidor.</translation>
    </message>
    <message>
        <source>The server did not respond in time.</source>
        <translation>El servidor no ha respondido a tiempo.</translation>
    </message>
    <message>
        <source>Scrubjay could not check for newer versions</source>
        <translation>Scrubjay no ha podido buscar versiones nuevas</translation>
    </message>
    <message>
        <source>The list of versions is not in the expected format.</source>
        <translation>La lista de versiones no tiene el formato esperado.</translation>
    </message>
    <message>
        <source>The list of versions is too long.</source>
        <translation>La lista de versiones es demasiado larga.</translation>
    </message>
    <message>
        <source>Check the name of the folder, then try again.</source>
        <translation>Comprueba el nombre de la carpeta y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>Elige otra carpeta.</translation>
    </message>
    <message>
        <source>Add the folder on the Folders page, or with `scrubjay workspace add {name}`.</source>
        <translation>Añade la carpeta en la página Carpetas o con `scrubjay workspace add {name}`.</translation>
    </message>
    <message>
        <source>To search these notes separately, exclude them from that folder first.</source>
        <translation>Para buscar en estas notas por separado, déjalas antes fuera de esa carpeta.</translation>
    </message>
    <message>
        <source>Opening the shared memory…</source>
        <translation>Abriendo la memoria compartida…</translation>
    </message>
    <message>
        <source>{name} was searched only by words, because {computer} published the folder with another language helper. To search it by meaning, choose the same language helper.</source>
        <translation>En {name} se buscó solo por palabras, porque {computer} publicó la carpeta con otro ayudante de idioma. Para buscar por significado, elige el mismo.</translation>
    </message>
</context>
<context>
    <name>DaysDialog</name>
    <message>
        <source>Choose days</source>
        <translation>Elegir días</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;Desde</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>&amp;Hasta</translation>
    </message>
</context>
<context>
    <name>DescriptionsDialog</name>
    <message>
        <source>Describe “{name}” for agents</source>
        <translation>Describir «{name}» para los agentes</translation>
    </message>
    <message>
        <source>Say in one or two sentences what is in the folder. Agents that find notes in it get this description with the results.</source>
        <translation>Di en una o dos frases qué hay en la carpeta. Los agentes que encuentren notas en ella recibirán esta descripción con los resultados.</translation>
    </message>
    <message>
        <source>Folder to describe</source>
        <translation>Carpeta que quieres describir</translation>
    </message>
    <message>
        <source>The whole folder</source>
        <translation>Toda la carpeta</translation>
    </message>
    <message>
        <source>Description of the folder</source>
        <translation>Descripción de la carpeta</translation>
    </message>
    <message>
        <source>For example: Minutes of the parents&apos; council</source>
        <translation>Por ejemplo: Actas de la asociación de familias</translation>
    </message>
</context>
<context>
    <name>Desktop</name>
    <message>
        <source>Scrubjay closed unexpectedly the last time you used it.</source>
        <translation>Scrubjay se cerró de forma inesperada la última vez que lo usaste.</translation>
    </message>
</context>
<context>
    <name>DesktopLimits</name>
    <message>
        <source>This desktop does not show tray icons. To reopen the window, start Scrubjay again.</source>
        <translation>Este escritorio no muestra iconos en la bandeja. Para volver a abrir la ventana, inicia Scrubjay de nuevo.</translation>
    </message>
    <message>
        <source>This desktop decides where quick search opens.</source>
        <translation>Este escritorio decide dónde se abre la búsqueda rápida.</translation>
    </message>
</context>
<context>
    <name>DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnóstico</translation>
    </message>
    <message>
        <source>This report helps developers find problems. It contains no keys and no text from your notes. Scrubjay does not send the report anywhere. Review it before you share it.</source>
        <translation>Este informe ayuda a los desarrolladores a encontrar problemas. No contiene claves ni texto de tus notas. Scrubjay no envía el informe a ninguna parte. Revísalo antes de compartirlo.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copiar</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Guardar…</translation>
    </message>
    <message>
        <source>{file} could not be saved: {reason}. Choose another folder.</source>
        <translation>No se pudo guardar {file}: {reason}. Elige otra carpeta.</translation>
    </message>
    <message>
        <source>The diagnostics were saved as {file}.</source>
        <translation>El diagnóstico se ha guardado como {file}.</translation>
    </message>
    <message>
        <source>Save diagnostics</source>
        <translation>Guardar el diagnóstico</translation>
    </message>
</context>
<context>
    <name>Diff</name>
    <message>
        <source>{n} unchanged {n:line|lines}</source>
        <translation>{n} {n:línea|líneas} sin cambios</translation>
    </message>
    <message>
        <source>{n} {n:line|lines} added</source>
        <translation>{n} {n:línea añadida|líneas añadidas}</translation>
    </message>
    <message>
        <source>{n} {n:line|lines} removed</source>
        <translation>{n} {n:línea quitada|líneas quitadas}</translation>
    </message>
    <message>
        <source>This note was removed. Its text is no longer available.</source>
        <translation>Esta nota se ha quitado. Su texto ya no está disponible.</translation>
    </message>
    <message>
        <source>This note changed, but its earlier text is no longer available.</source>
        <translation>Esta nota ha cambiado, pero su texto anterior ya no está disponible.</translation>
    </message>
    <message>
        <source>Only the beginning of this long change is shown.</source>
        <translation>Solo se muestra el principio de este cambio tan largo.</translation>
    </message>
    <message>
        <source>This note was moved, and these lines changed.</source>
        <translation>Esta nota se ha movido, y estas líneas han cambiado.</translation>
    </message>
    <message>
        <source>This note was moved. Its text did not change.</source>
        <translation>Esta nota se ha movido. Su texto no ha cambiado.</translation>
    </message>
    <message>
        <source>This note was removed. Its last version is shown here.</source>
        <translation>Esta nota se ha quitado. Aquí se muestra su última versión.</translation>
    </message>
    <message>
        <source>This note was removed. It was empty.</source>
        <translation>Esta nota se ha quitado. Estaba vacía.</translation>
    </message>
    <message>
        <source>This note is new.</source>
        <translation>Esta nota es nueva.</translation>
    </message>
    <message>
        <source>This note is new and empty.</source>
        <translation>Esta nota es nueva y está vacía.</translation>
    </message>
    <message>
        <source>Only line breaks or spaces changed.</source>
        <translation>Solo han cambiado espacios o saltos de línea.</translation>
    </message>
</context>
<context>
    <name>DiffText</name>
    <message>
        <source>What changed, line by line</source>
        <translation>Qué ha cambiado, línea a línea</translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Comparando…</translation>
    </message>
    <message>
        <source>These notes were moved. Their text did not change.</source>
        <translation>Estas notas se han movido. Su texto no ha cambiado.</translation>
    </message>
</context>
<context>
    <name>EditTextDialog</name>
    <message>
        <source>Edit the proposed text</source>
        <translation>Editar el texto propuesto</translation>
    </message>
    <message>
        <source>Text that will be written</source>
        <translation>Texto que se escribirá</translation>
    </message>
    <message>
        <source>&amp;Accept</source>
        <translation>&amp;Aceptar</translation>
    </message>
    <message>
        <source>This text will be written to {path}.</source>
        <translation>Este texto se escribirá en {path}.</translation>
    </message>
</context>
<context>
    <name>EngineActions</name>
    <message>
        <source>Scrubjay already searches the folder {name}.</source>
        <translation>Scrubjay ya busca en la carpeta {name}.</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Scrubjay imports notes from Evernote, Notion, Google Keep, Joplin, Simplenote, Day One and Bear, conversations from ChatGPT and Claude, and web pages exported from programs such as Apple Notes and OneNote. You can choose a zip file or the unpacked folder.</source>
        <translation>Scrubjay importa notas de Evernote, Notion, Google Keep, Joplin, Simplenote, Day One y Bear, conversaciones de ChatGPT y Claude, y páginas web exportadas de programas como Apple Notes y OneNote. Puedes elegir un archivo zip o la carpeta descomprimida.</translation>
    </message>
    <message>
        <source>Import notes</source>
        <translation>Importar notas</translation>
    </message>
    <message>
        <source>Is the export a file or a folder?</source>
        <translation>¿La exportación es un archivo o una carpeta?</translation>
    </message>
    <message>
        <source>A &amp;file…</source>
        <translation>Un &amp;archivo…</translation>
    </message>
    <message>
        <source>A f&amp;older…</source>
        <translation>Una ca&amp;rpeta…</translation>
    </message>
</context>
<context>
    <name>FilterChips</name>
    <message>
        <source>Until {day}</source>
        <translation>Hasta el {day}</translation>
    </message>
    <message>
        <source>Any date</source>
        <translation>Cualquier fecha</translation>
    </message>
    <message>
        <source>Filter by date</source>
        <translation>Filtrar por fecha</translation>
    </message>
    <message>
        <source>Filter by kind of note</source>
        <translation>Filtrar por tipo de nota</translation>
    </message>
    <message>
        <source>Folder to search</source>
        <translation>Carpeta en la que buscar</translation>
    </message>
    <message>
        <source>Filter by tag</source>
        <translation>Filtrar por etiqueta</translation>
    </message>
    <message>
        <source>Sort order and kind of search</source>
        <translation>Orden y tipo de búsqueda</translation>
    </message>
    <message>
        <source>Folder: {name}</source>
        <translation>Carpeta: {name}</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Fecha</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Carpeta</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Etiqueta</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Choose days…</source>
        <translation>Elegir días…</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Hoy</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Últimos 7 días</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Últimos 30 días</translation>
    </message>
    <message>
        <source>Last 12 months</source>
        <translation>Últimos 12 meses</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Todo</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>PDFs</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Other documents</source>
        <translation>Otros documentos</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>Correo</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Imágenes</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversaciones</translation>
    </message>
    <message>
        <source>All folders</source>
        <translation>Todas las carpetas</translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation>Cualquier etiqueta</translation>
    </message>
    <message>
        <source>Best first</source>
        <translation>Mejores primero</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>Más nuevas primero</translation>
    </message>
    <message>
        <source>Oldest first</source>
        <translation>Más antiguas primero</translation>
    </message>
    <message>
        <source>Words and meaning</source>
        <translation>Palabras y significado</translation>
    </message>
    <message>
        <source>Words only</source>
        <translation>Solo palabras</translation>
    </message>
    <message>
        <source>Meaning only</source>
        <translation>Solo significado</translation>
    </message>
    <message>
        <source>Since {day}</source>
        <translation>Desde el {day}</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this note</source>
        <translation>Buscar en esta nota</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Coincidencia anterior</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Coincidencia siguiente</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Find in this picture</source>
        <translation>Buscar en esta imagen</translation>
    </message>
    <message>
        <source>Find on this page</source>
        <translation>Buscar en esta página</translation>
    </message>
    <message>
        <source>Not found in this note</source>
        <translation>No se encuentra en esta nota</translation>
    </message>
    <message>
        <source>Not found in this picture</source>
        <translation>No se encuentra en esta imagen</translation>
    </message>
    <message>
        <source>Not found in the lines shown</source>
        <translation>No se encuentra en las líneas que se muestran</translation>
    </message>
    <message>
        <source>{n} of {count}</source>
        <translation>{n} de {count}</translation>
    </message>
    <message>
        <source>{n} of {count} in the lines shown</source>
        <translation>{n} de {count} en las líneas que se muestran</translation>
    </message>
    <message>
        <source>Not found on this page</source>
        <translation>No se encontró en esta página</translation>
    </message>
    <message>
        <source>To search this page, choose “Text”</source>
        <translation>Para buscar en esta página, elija «Texto»</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>&amp;Search these notes</source>
        <translation>&amp;Buscar en estas notas</translation>
    </message>
    <message>
        <source>&amp;Add a folder…</source>
        <translation>&amp;Añadir una carpeta…</translation>
    </message>
    <message>
        <source>&amp;Try the sample notes</source>
        <translation>&amp;Probar con notas de ejemplo</translation>
    </message>
    <message>
        <source>Import n&amp;otes…</source>
        <translation>Importar n&amp;otas…</translation>
    </message>
    <message>
        <source>&amp;Import settings…</source>
        <translation>Importar ajustes de &amp;otro programa…</translation>
    </message>
    <message>
        <source>No notes from other programs were found on this computer.</source>
        <translation>No se encontraron notas de otros programas en este equipo.</translation>
    </message>
    <message>
        <source>No other notes were found.</source>
        <translation>No se encontraron más notas.</translation>
    </message>
    <message>
        <source>Add a folder with your notes, or drop one here. Scrubjay searches your notes by words and by meaning, on this computer only. It changes them only when you tell it to.</source>
        <translation>Añade una carpeta con tus notas o suéltala aquí. Scrubjay busca en tus notas por palabras y por significado, solo en este equipo. Solo las cambia si se lo pides.</translation>
    </message>
    <message>
        <source>These notes are already on this computer. Scrubjay searches them by words and by meaning, on this computer only. It changes them only when you tell it to. You can also drop a folder here.</source>
        <translation>Estas notas ya están en este equipo. Scrubjay busca en ellas por palabras y por significado, solo en este equipo. Solo las cambia si se lo pides. También puedes soltar una carpeta aquí.</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Documentos</translation>
    </message>
    <message>
        <source>{count}, last changed {day}</source>
        <translation>{count}, último cambio: {day}</translation>
    </message>
    <message>
        <source>No notes from {apps} were found.</source>
        <translation>No se encontraron notas de {apps}.</translation>
    </message>
    <message>
        <source>&amp;Import settings from {apps}…</source>
        <translation>I&amp;mportar los ajustes de {apps}…</translation>
    </message>
    <message>
        <source>Looking for notes on this computer…</source>
        <translation>Buscando notas en este equipo…</translation>
    </message>
    <message>
        <source>Notes on this computer</source>
        <translation>Notas en este equipo</translation>
    </message>
    <message>
        <source>Find what you wrote down</source>
        <translation>Encuentra lo que anotaste</translation>
    </message>
    <message>
        <source>more than {n} notes</source>
        <translation>más de {n} notas</translation>
    </message>
</context>
<context>
    <name>FolderActions</name>
    <message>
        <source>Locate the folder “{name}”</source>
        <translation>Localizar la carpeta «{name}»</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Cambiar el nombre</translation>
    </message>
    <message>
        <source>Name in Scrubjay (the name of the folder itself does not change):</source>
        <translation>Nombre en Scrubjay (el de la carpeta no cambia):</translation>
    </message>
    <message>
        <source>The folder {folder} now has a different name in Scrubjay.</source>
        <translation>La carpeta {folder} tiene ahora otro nombre en Scrubjay.</translation>
    </message>
    <message>
        <source>The descriptions for {name} were saved.</source>
        <translation>Se han guardado las descripciones de {name}.</translation>
    </message>
    <message>
        <source>Scrubjay found no notes in {name}.</source>
        <translation>Scrubjay no encontró notas en {name}.</translation>
    </message>
    <message>
        <source>All notes in {name} are excluded or belong to other folders that Scrubjay searches.</source>
        <translation>Todas las notas de {name} están excluidas o pertenecen a otras carpetas en las que Scrubjay busca.</translation>
    </message>
    <message>
        <source>The new location of {name} is {folder}. Scrubjay does not have to prepare the notes for search by meaning again.</source>
        <translation>La nueva ubicación de {name} es {folder}. Scrubjay no tiene que volver a preparar las notas para la búsqueda por significado.</translation>
    </message>
    <message>
        <source>Your selection of notes in {name} was saved.</source>
        <translation>Se ha guardado tu selección de notas de {name}.</translation>
    </message>
    <message>
        <source>Scrubjay now searches {name} ({notes}).</source>
        <translation>Scrubjay busca ahora en {name} ({notes}).</translation>
    </message>
    <message>
        <source>Choose folders…</source>
        <translation>Elegir carpetas…</translation>
    </message>
    <message>
        <source>Scrubjay can also read the text in {pictures} in this folder.</source>
        <translation>Scrubjay también puede leer el texto de {pictures} de esta carpeta.</translation>
    </message>
    <message>
        <source>Choose what to read…</source>
        <translation>Elegir qué leer…</translation>
    </message>
    <message>
        <source>{name} cannot be opened because the folder {folder} is missing.</source>
        <translation>No se puede abrir {name} porque falta la carpeta {folder}.</translation>
    </message>
    <message>
        <source>Locate the folder…</source>
        <translation>Localizar la carpeta…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
</context>
<context>
    <name>FolderTree</name>
    <message>
        <source>Folders that Scrubjay reads</source>
        <translation>Carpetas que lee Scrubjay</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Why this result?</source>
        <translation>¿Por qué este resultado?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Show in folder (Alt+Enter)</source>
        <translation>Mostrar en la carpeta (Alt+Intro)</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Copiar el texto</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Problem</source>
        <translation>Problema</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Requiere atención</translation>
    </message>
    <message>
        <source>Information</source>
        <translation>Información</translation>
    </message>
    <message>
        <source>Agents load only the first {limit} of the {characters} characters in {path} in {workspace}, up to line {line}.</source>
        <translation>Los agentes cargan solo los primeros {limit} de los {characters} caracteres de {path} en {workspace}, hasta la línea {line}.</translation>
    </message>
    <message>
        <source>{path} in {workspace} uses {characters} of the {limit} characters that agents can load.</source>
        <translation>{path} en {workspace} tiene {characters} de los {limit} caracteres que los agentes pueden cargar.</translation>
    </message>
</context>
<context>
    <name>HealthPage</name>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Nothing needs your attention.</source>
        <translation>Nada requiere tu atención.</translation>
    </message>
    <message>
        <source>One thing needs your attention.</source>
        <translation>Una cosa requiere tu atención.</translation>
    </message>
    <message>
        <source>{n} things need your attention.</source>
        <translation>{n} cosas requieren tu atención.</translation>
    </message>
    <message>
        <source>Checking your notes…</source>
        <translation>Comprobando tus notas…</translation>
    </message>
    <message>
        <source>Scrubjay checked {notes} {when}.</source>
        <translation>Scrubjay comprobó {notes} {when}.</translation>
    </message>
    <message>
        <source>Scrubjay checked {notes} {when}, but not {n} {n:document|documents} (PDF, canvas and similar files).</source>
        <translation>Scrubjay comprobó {notes} {when}, pero no {n} {n:documento|documentos} (archivos PDF, canvas y similares).</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>Salud</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Comprobar de nuevo</translation>
    </message>
    <message>
        <source>Notes checked so far</source>
        <translation>Notas comprobadas hasta ahora</translation>
    </message>
    <message>
        <source>Report again</source>
        <translation>Volver a avisar</translation>
    </message>
    <message>
        <source>Leave as is</source>
        <translation>Dejarlo así</translation>
    </message>
    <message>
        <source>Scrubjay no longer reports this as a problem: {what}</source>
        <translation>Scrubjay ya no avisa de esto como un problema: {what}</translation>
    </message>
    <message>
        <source>Scrubjay blanked out a password or key in {path} and kept a copy of the original note.</source>
        <translation>Scrubjay ha tachado una contraseña o clave en {path} y ha guardado una copia de la nota original.</translation>
    </message>
    <message>
        <source>Scrubjay is fixing this problem: {what}</source>
        <translation>Scrubjay está arreglando este problema: {what}</translation>
    </message>
    <message>
        <source>The check was stopped. You can start it again at any time.</source>
        <translation>Se ha detenido la comprobación. Puedes iniciarla de nuevo cuando quieras.</translation>
    </message>
    <message>
        <source>Publish now</source>
        <translation>Publicar ahora</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Mostrar</translation>
    </message>
    <message>
        <source>Blank out password or key</source>
        <translation>Tachar la contraseña o clave</translation>
    </message>
    <message>
        <source>Read notes again</source>
        <translation>Volver a leer las notas</translation>
    </message>
    <message>
        <source>Delete leftover downloads</source>
        <translation>Borrar los restos de descargas</translation>
    </message>
    <message>
        <source>No problems found</source>
        <translation>No se han encontrado problemas</translation>
    </message>
    <message>
        <source>Scrubjay found no passwords, broken links or duplicates in the notes that it checked, and no problems with its settings or language helper.</source>
        <translation>Scrubjay no ha encontrado contraseñas, enlaces rotos ni duplicados en las notas que ha comprobado, ni problemas con sus ajustes ni con el ayudante de idioma.</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Mostrar en la carpeta</translation>
    </message>
    <message>
        <source>Results of the check</source>
        <translation>Resultados de la comprobación</translation>
    </message>
    <message>
        <source>Check for changes</source>
        <translation>Buscar cambios</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
</context>
<context>
    <name>HeatMap</name>
    <message>
        <source>{day}: {amount}</source>
        <translation>{day}: {amount}</translation>
    </message>
    <message>
        <source>no notes</source>
        <translation>sin notas</translation>
    </message>
</context>
<context>
    <name>HeatmapView</name>
    <message>
        <source>Notes by day</source>
        <translation>Notas por día</translation>
    </message>
    <message>
        <source>Use the arrow keys to move by day or week. Hold Shift to select several days.</source>
        <translation>Usa las flechas para moverte por días o semanas. Mantén pulsada la tecla Mayús para elegir varios días.</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>Ayuda</translation>
    </message>
    <message>
        <source>How to search</source>
        <translation>Cómo buscar</translation>
    </message>
    <message>
        <source>Icons next to results</source>
        <translation>Iconos junto a los resultados</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Atajos de teclado</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Archivos</translation>
    </message>
    <message>
        <source>&amp;Licences</source>
        <translation>&amp;Licencias</translation>
    </message>
    <message>
        <source>&amp;Diagnostics…</source>
        <translation>&amp;Diagnóstico…</translation>
    </message>
    <message>
        <source>The note contains your words</source>
        <translation>La nota contiene tus palabras</translation>
    </message>
    <message>
        <source>The note says the same thing in other words</source>
        <translation>La nota dice lo mismo con otras palabras</translation>
    </message>
    <message>
        <source>The note contains your words and also matches their meaning</source>
        <translation>La nota contiene tus palabras y también coincide en el significado</translation>
    </message>
    <message>
        <source>Show more or fewer passages from a note</source>
        <translation>Mostrar más o menos fragmentos de una nota</translation>
    </message>
    <message>
        <source>Copy the selected passage</source>
        <translation>Copiar el fragmento seleccionado</translation>
    </message>
    <message>
        <source>↑ in an empty search box</source>
        <translation>↑ en un cuadro de búsqueda vacío</translation>
    </message>
    <message>
        <source>Show an earlier search</source>
        <translation>Mostrar una búsqueda anterior</translation>
    </message>
    <message>
        <source>Clear the search box</source>
        <translation>Vaciar el cuadro de búsqueda</translation>
    </message>
    <message>
        <source>Show or hide the note in quick search (same as {keys})</source>
        <translation>Mostrar u ocultar la nota en la búsqueda rápida (igual que {keys})</translation>
    </message>
    <message>
        <source>Switch between the search box and the note in quick search</source>
        <translation>Cambiar entre el cuadro de búsqueda y la nota en la búsqueda rápida</translation>
    </message>
    <message>
        <source>Go to the first page, the second page and so on</source>
        <translation>Ir a la primera página, a la segunda y así sucesivamente</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Archivo de ajustes</translation>
    </message>
    <message>
        <source>Move through the results</source>
        <translation>Moverse por los resultados</translation>
    </message>
    <message>
        <source>Open the note</source>
        <translation>Abrir la nota</translation>
    </message>
    <message>
        <source>Space bar in the list</source>
        <translation>Barra espaciadora en la lista</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Intro</translation>
    </message>
    <message>
        <source>Search index folder</source>
        <translation>Carpeta del índice de búsqueda</translation>
    </message>
    <message>
        <source>Command that opens quick search</source>
        <translation>Orden que abre la búsqueda rápida</translation>
    </message>
</context>
<context>
    <name>Hotkey</name>
    <message>
        <source>{keys} is needed for typing</source>
        <translation>{keys} se necesita para escribir</translation>
    </message>
    <message>
        <source>Scrubjay cannot set a keyboard shortcut on this computer. In the keyboard settings of your computer, assign a shortcut to this command: {command}</source>
        <translation>Scrubjay no puede definir un atajo de teclado en este equipo. En los ajustes de teclado de tu equipo, asigna un atajo a esta orden: {command}</translation>
    </message>
    <message>
        <source>Scrubjay cannot set a keyboard shortcut on this computer</source>
        <translation>Scrubjay no puede definir un atajo de teclado en este equipo</translation>
    </message>
    <message>
        <source>Choose a single key combination</source>
        <translation>Elige una sola combinación de teclas</translation>
    </message>
    <message>
        <source>Add Command, Option or Control to the shortcut.</source>
        <translation>Añade Comando, Opción o Control al atajo.</translation>
    </message>
    <message>
        <source>Add Ctrl, Alt or Super to the shortcut.</source>
        <translation>Añade Ctrl, Alt o Súper al atajo.</translation>
    </message>
    <message>
        <source>{keys} is used by another program</source>
        <translation>Otro programa ya usa {keys}</translation>
    </message>
    <message>
        <source>Choose another shortcut in the settings.</source>
        <translation>Elige otro atajo en los ajustes.</translation>
    </message>
    <message>
        <source>{keys} is not available on this keyboard</source>
        <translation>{keys} no está disponible en este teclado</translation>
    </message>
    <message>
        <source>Search your notes</source>
        <translation>Busca en tus notas</translation>
    </message>
    <message>
        <source>Your desktop environment did not assign a shortcut to Scrubjay</source>
        <translation>Tu entorno de escritorio no ha asignado ningún atajo a Scrubjay</translation>
    </message>
    <message>
        <source>In the keyboard settings of your computer, assign a shortcut to the command “{command}”.</source>
        <translation>En los ajustes de teclado de tu equipo, asigna un atajo a la orden «{command}».</translation>
    </message>
</context>
<context>
    <name>HotkeySetting</name>
    <message>
        <source>Quick search has no keyboard shortcut.</source>
        <translation>La búsqueda rápida no tiene ningún atajo de teclado.</translation>
    </message>
    <message>
        <source>Press {keys} to open quick search from any program.</source>
        <translation>Pulsa {keys} para abrir la búsqueda rápida desde cualquier programa.</translation>
    </message>
</context>
<context>
    <name>Import</name>
    <message>
        <source>Add a language helper</source>
        <translation>Añadir un ayudante de idioma</translation>
    </message>
    <message>
        <source>Add {name} to your language helpers?</source>
        <translation>¿Añadir {name} a tus ayudantes de idioma?</translation>
    </message>
    <message>
        <source>Scrubjay will check the file and copy it. The original file will stay where it is.</source>
        <translation>Scrubjay comprobará el archivo y lo copiará. El archivo original se quedará donde está.</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Añadir</translation>
    </message>
</context>
<context>
    <name>KeyDialog</name>
    <message>
        <source>Key for {provider}</source>
        <translation>Clave de {provider}</translation>
    </message>
    <message>
        <source>Paste the key. Scrubjay keeps it in the keychain and never shows it again.</source>
        <translation>Pega la clave. Scrubjay la guarda en el llavero y no la vuelve a mostrar.</translation>
    </message>
    <message>
        <source>Keep the key only until &amp;Scrubjay closes</source>
        <translation>Conservar la clave solo hasta que se cierre &amp;Scrubjay</translation>
    </message>
</context>
<context>
    <name>KeyRow</name>
    <message>
        <source>Use for search by meaning</source>
        <translation>Usar para buscar por significado</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Probar</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>Sin clave</translation>
    </message>
    <message>
        <source>Used for search by meaning.</source>
        <translation>Se usa para buscar por significado.</translation>
    </message>
    <message>
        <source>Not checked yet</source>
        <translation>Aún no se ha comprobado</translation>
    </message>
    <message>
        <source>Add key…</source>
        <translation>Añadir clave…</translation>
    </message>
    <message>
        <source>Replace key…</source>
        <translation>Sustituir clave…</translation>
    </message>
    <message>
        <source>Kept until Scrubjay closes</source>
        <translation>Guardada hasta que se cierre Scrubjay</translation>
    </message>
    <message>
        <source>In the keychain</source>
        <translation>En el llavero</translation>
    </message>
    <message>
        <source>Not used because the settings contain the address of a different service.</source>
        <translation>No se usa, porque los ajustes contienen la dirección de otro servicio.</translation>
    </message>
    <message>
        <source>Not used for search by meaning.</source>
        <translation>No se usa para la búsqueda por significado.</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Delete a key</source>
        <translation>Borrar una clave</translation>
    </message>
    <message>
        <source>Delete the key for {provider}?</source>
        <translation>¿Borrar la clave de {provider}?</translation>
    </message>
    <message>
        <source>Scrubjay cannot restore a deleted key. If you still need the key, make sure that you have a copy.</source>
        <translation>Scrubjay no puede recuperar una clave borrada. Si aún la necesitas, asegúrate de tener una copia.</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Borrar</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Conservar</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>Less</source>
        <translation>Menos</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Más</translation>
    </message>
    <message>
        <source>Days on which you wrote more are shown in a stronger colour.</source>
        <translation>Los días en los que escribiste más se muestran con un color más intenso.</translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <source>Licences</source>
        <translation>Licencias</translation>
    </message>
    <message>
        <source>Scrubjay is free software under the MIT License. It includes the components in this list. Qt is used under the LGPL, so its libraries are separate files that you can replace.</source>
        <translation>Scrubjay es software libre bajo la licencia MIT. Incluye los componentes de esta lista. Qt se usa bajo la LGPL, así que sus bibliotecas son archivos aparte que puedes sustituir.</translation>
    </message>
    <message>
        <source>Licence for the selected component</source>
        <translation>Licencia del componente elegido</translation>
    </message>
    <message>
        <source>Scrubjay components</source>
        <translation>Componentes de Scrubjay</translation>
    </message>
</context>
<context>
    <name>LineBar</name>
    <message>
        <source>Add a line to this note</source>
        <translation>Añadir una línea a esta nota</translation>
    </message>
    <message>
        <source>Add line</source>
        <translation>Añadir la línea</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Close this message</source>
        <translation>Cerrar este mensaje</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menú</translation>
    </message>
</context>
<context>
    <name>MediaView</name>
    <message>
        <source>Play</source>
        <translation>Reproducir</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Grabación</translation>
    </message>
    <message>
        <source>The recording opens in another program.</source>
        <translation>La grabación se abre en otro programa.</translation>
    </message>
    <message>
        <source>Scrubjay cannot show this picture</source>
        <translation>Scrubjay no puede mostrar esta imagen</translation>
    </message>
    <message>
        <source>Another program on this computer may be able to show the picture.</source>
        <translation>Quizá otro programa de este equipo pueda mostrar la imagen.</translation>
    </message>
    <message>
        <source>Open in another program</source>
        <translation>Abrir en otro programa</translation>
    </message>
    <message>
        <source>Play {name}</source>
        <translation>Reproducir {name}</translation>
    </message>
    <message>
        <source>Open {name}</source>
        <translation>Abrir {name}</translation>
    </message>
    <message>
        <source>Picture {name}</source>
        <translation>Imagen {name}</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Progress for {name}</source>
        <translation>Progreso de {name}</translation>
    </message>
    <message>
        <source>The server is not responding. Check whether this computer is connected to the internet.</source>
        <translation>El servidor no responde. Comprueba si este equipo está conectado a internet.</translation>
    </message>
</context>
<context>
    <name>ModelUpgrade</name>
    <message>
        <source>You can now find your notes by words and by meaning. {languages}. The language helper “{name}” ({size}) would give better results.</source>
        <translation>Ya puedes buscar en tus notas por palabras y por significado. {languages}. El ayudante de idioma «{name}» ({size}) daría mejores resultados.</translation>
    </message>
    <message>
        <source>Show language helpers</source>
        <translation>Mostrar los ayudantes de idioma</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Download</source>
        <translation>Descargar</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Usar</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>En uso</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>En este equipo</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Descargando</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>En pausa</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Requiere atención</translation>
    </message>
    <message>
        <source>Selected but missing</source>
        <translation>Elegido, pero no está aquí</translation>
    </message>
    <message>
        <source>Included with Scrubjay. For notes in English.</source>
        <translation>Incluido en Scrubjay. Para notas en inglés.</translation>
    </message>
    <message>
        <source>Small and fast</source>
        <translation>Pequeño y rápido</translation>
    </message>
    <message>
        <source>Finds more notes than the included language helper, in more than 100 languages.</source>
        <translation>Encuentra más notas que el ayudante de idioma incluido, en más de 100 idiomas.</translation>
    </message>
    <message>
        <source>More precise, English only</source>
        <translation>Más preciso, solo inglés</translation>
    </message>
    <message>
        <source>Result reader for many languages</source>
        <translation>Lector de resultados para muchos idiomas</translation>
    </message>
    <message>
        <source>Result reader for English</source>
        <translation>Lector de resultados para inglés</translation>
    </message>
    <message>
        <source>Recommended. {languages}. This language helper finds more of these notes than the included one.</source>
        <translation>Recomendado. {languages}. Este ayudante de idioma encuentra más de estas notas que el incluido.</translation>
    </message>
    <message>
        <source>takes {time} to read your {notes}</source>
        <translation>necesita {time} para leer tus {notes}</translation>
    </message>
    <message>
        <source>“{name}” finds more of your notes than the other language helper.</source>
        <translation>«{name}» encuentra más notas tuyas que el otro ayudante de idioma.</translation>
    </message>
    <message>
        <source>Neither language helper is clearly better at finding your notes. Any difference in the results may be due to chance.</source>
        <translation>Ninguno de los dos ayudantes de idioma es claramente mejor para encontrar tus notas. Cualquier diferencia en los resultados puede deberse al azar.</translation>
    </message>
    <message>
        <source>Scrubjay tested both language helpers with questions made from the headings of your notes.</source>
        <translation>Scrubjay ha probado los dos ayudantes de idioma con preguntas hechas a partir de los títulos de tus notas.</translation>
    </message>
    <message>
        <source>Recommended. {languages}. This language helper is suitable for these notes.</source>
        <translation>Recomendado. {languages}. Este ayudante de idioma es adecuado para estas notas.</translation>
    </message>
    <message>
        <source>Finds more results that say the same in other words.</source>
        <translation>Encuentra más resultados que dicen lo mismo con otras palabras.</translation>
    </message>
    <message>
        <source>{size} on disk</source>
        <translation>{size} en disco</translation>
    </message>
    <message>
        <source>{size} download</source>
        <translation>descarga de {size}</translation>
    </message>
    <message>
        <source>uses {size} of memory</source>
        <translation>usa {size} de memoria</translation>
    </message>
    <message>
        <source>{name} licence</source>
        <translation>licencia {name}</translation>
    </message>
    <message>
        <source>Checking the downloaded file</source>
        <translation>Comprobando el archivo descargado</translation>
    </message>
    <message>
        <source>Waiting for another download to finish</source>
        <translation>Esperando a que termine otra descarga</translation>
    </message>
    <message>
        <source>Connecting to the server</source>
        <translation>Conectando con el servidor</translation>
    </message>
    <message>
        <source>Testing question {done} of {total}</source>
        <translation>Probando la pregunta {done} de {total}</translation>
    </message>
    <message>
        <source>“{name}” listed the right note first for {first} of {questions} questions.</source>
        <translation>«{name}» puso la nota correcta en primer lugar en {first} de {questions} preguntas.</translation>
    </message>
    <message>
        <source>Many languages</source>
        <translation>Muchos idiomas</translation>
    </message>
    <message>
        <source>The largest language helper. It supports more than 100 languages and needs a fast computer.</source>
        <translation>El ayudante de idioma más grande. Admite más de 100 idiomas y necesita un equipo rápido.</translation>
    </message>
    <message>
        <source>Thorough</source>
        <translation>Exhaustivo</translation>
    </message>
    <message>
        <source>Finds more notes in English than the included language helper.</source>
        <translation>Encuentra más notas en inglés que el ayudante de idioma incluido.</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} de {total}</translation>
    </message>
    <message>
        <source>{size} per second</source>
        <translation>{size} por segundo</translation>
    </message>
    <message>
        <source>Reading the headings of your notes</source>
        <translation>Leyendo los títulos de tus notas</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>Language helpers</source>
        <translation>Ayudantes de idioma</translation>
    </message>
    <message>
        <source>Checking {name}…</source>
        <translation>Comprobando {name}…</translation>
    </message>
    <message>
        <source>“{name}” is ready to use.</source>
        <translation>«{name}» está listo para usarse.</translation>
    </message>
    <message>
        <source>Copying {name}, {share}</source>
        <translation>Copiando {name}, {share}</translation>
    </message>
    <message>
        <source>Checking {name}, {share}</source>
        <translation>Comprobando {name}, {share}</translation>
    </message>
    <message>
        <source>Language helpers let Scrubjay find notes by meaning. They run on this computer, so your notes are not sent anywhere. To add a language helper file, drag it here.</source>
        <translation>Los ayudantes de idioma permiten a Scrubjay encontrar notas por su significado. Trabajan en este equipo, así que tus notas no se envían a ninguna parte. Para añadir el archivo de un ayudante de idioma, arrástralo aquí.</translation>
    </message>
    <message>
        <source>Add from &amp;file…</source>
        <translation>Añadir desde un &amp;archivo…</translation>
    </message>
    <message>
        <source>A result reader reads the first results of a search again, shortly after you stop typing, and moves up those that fit better. It is optional, and rests while the computer runs on battery power.</source>
        <translation>Un lector de resultados relee los primeros resultados de una búsqueda poco después de que dejas de escribir y sube los que encajan mejor. Es opcional y descansa mientras el equipo funciona con batería.</translation>
    </message>
    <message>
        <source>Result readers</source>
        <translation>Lectores de resultados</translation>
    </message>
    <message>
        <source>Use “{name}” again</source>
        <translation>Volver a usar «{name}»</translation>
    </message>
    <message>
        <source>“{name}” will read the first results of your searches again.</source>
        <translation>«{name}» releerá los primeros resultados de tus búsquedas.</translation>
    </message>
    <message>
        <source>“{name}” is now reading your notes in the background. Scrubjay will keep using the previous language helper until the new one has finished.</source>
        <translation>«{name}» está leyendo tus notas en segundo plano. Scrubjay seguirá usando el ayudante de idioma anterior hasta que el nuevo termine.</translation>
    </message>
    <message>
        <source>“{name}” will read your notes once you resume reading. Scrubjay will keep using the previous language helper until the new one has finished.</source>
        <translation>«{name}» leerá tus notas cuando reanudes la lectura. Scrubjay seguirá usando el ayudante de idioma anterior hasta que el nuevo termine.</translation>
    </message>
    <message>
        <source>To compare language helpers, you need at least two on this computer.</source>
        <translation>Para comparar ayudantes de idioma, necesitas al menos dos en este equipo.</translation>
    </message>
    <message>
        <source>Choose a language helper file</source>
        <translation>Elige el archivo de un ayudante de idioma</translation>
    </message>
    <message>
        <source>Language helpers (*.gguf)</source>
        <translation>Ayudantes de idioma (*.gguf)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Pages</source>
        <translation>Páginas</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Cronología</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Carpetas</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agentes</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>Salud</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
</context>
<context>
    <name>News</name>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Request from an agent</source>
        <translation>Petición de un agente</translation>
    </message>
    <message>
        <source>{agent} is waiting for your answer.</source>
        <translation>{agent} espera tu respuesta.</translation>
    </message>
    <message>
        <source>Scrubjay needs your permission to send {n} {n:note|notes} to a service.</source>
        <translation>Scrubjay necesita tu permiso para enviar {n} {n:nota|notas} a un servicio.</translation>
    </message>
    <message>
        <source>Scrubjay needs your attention</source>
        <translation>Scrubjay requiere tu atención</translation>
    </message>
    <message>
        <source>Notes could not be read</source>
        <translation>No se pudieron leer notas</translation>
    </message>
    <message>
        <source>Scrubjay has finished reading {notes}. You can now search by words and by meaning.</source>
        <translation>Scrubjay ha terminado de leer {notes}. Ya puedes buscar por palabras y por significado.</translation>
    </message>
    <message>
        <source>Your notes are ready</source>
        <translation>Tus notas están listas</translation>
    </message>
</context>
<context>
    <name>NoteActions</name>
    <message>
        <source>Only notes with #{tag}</source>
        <translation>Solo notas con #{tag}</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Abrir</translation>
    </message>
    <message>
        <source>Open in O&amp;bsidian</source>
        <translation>Abrir en O&amp;bsidian</translation>
    </message>
    <message>
        <source>Choose a pro&amp;gram…</source>
        <translation>Elegir un pro&amp;grama…</translation>
    </message>
    <message>
        <source>Open at this l&amp;ine</source>
        <translation>Abrir en esta lí&amp;nea</translation>
    </message>
    <message>
        <source>Show in &amp;folder</source>
        <translation>&amp;Mostrar en la carpeta</translation>
    </message>
    <message>
        <source>&amp;Copy the passage</source>
        <translation>&amp;Copiar el fragmento</translation>
    </message>
    <message>
        <source>Copy as &amp;quotation</source>
        <translation>Copiar como ci&amp;ta</translation>
    </message>
    <message>
        <source>Copy as lin&amp;k</source>
        <translation>Copia&amp;r como enlace</translation>
    </message>
    <message>
        <source>Copy as [[link]] for &amp;notes</source>
        <translation>Copiar como [[enlace]] para n&amp;otas</translation>
    </message>
    <message>
        <source>Copy the fi&amp;le&apos;s path</source>
        <translation>Cop&amp;iar la ruta del archivo</translation>
    </message>
    <message>
        <source>Tick or untick th&amp;e task</source>
        <translation>Tarea &amp;hecha o pendiente</translation>
    </message>
    <message>
        <source>A&amp;dd a line to this note…</source>
        <translation>Añadir una lín&amp;ea a esta nota…</translation>
    </message>
    <message>
        <source>Print this note…</source>
        <translation>Imprimir esta nota…</translation>
    </message>
    <message>
        <source>&amp;Why this result?</source>
        <translation>¿&amp;Por qué este resultado?</translation>
    </message>
    <message>
        <source>Next page of the PDF</source>
        <translation>Página siguiente del PDF</translation>
    </message>
    <message>
        <source>Previous page of the PDF</source>
        <translation>Página anterior del PDF</translation>
    </message>
    <message>
        <source>Switch between the text and the page or picture</source>
        <translation>Cambiar entre el texto y la página o la imagen</translation>
    </message>
</context>
<context>
    <name>NoteEditController</name>
    <message>
        <source>Task marked as done: {task}</source>
        <translation>Tarea marcada como hecha: {task}</translation>
    </message>
    <message>
        <source>Task marked as not done: {task}</source>
        <translation>Tarea marcada como pendiente: {task}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>The line was added to {path}.</source>
        <translation>Se ha añadido la línea a {path}.</translation>
    </message>
    <message>
        <source>Scrubjay did not remove the line because that part of {path} has since been edited. If you no longer need the line, delete it yourself.</source>
        <translation>Scrubjay no ha quitado la línea porque esa parte de {path} se ha editado desde entonces. Si ya no necesitas la línea, bórrala tú.</translation>
    </message>
    <message>
        <source>The change to {path} was undone.</source>
        <translation>Se ha deshecho el cambio en {path}.</translation>
    </message>
</context>
<context>
    <name>NoteImportDialog</name>
    <message>
        <source>Import notes from {program}</source>
        <translation>Importar notas de {program}</translation>
    </message>
    <message>
        <source>Scrubjay will copy the notes, attachments and dates from {file} to the folder shown here. The export will not change, and you can undo the import.</source>
        <translation>Scrubjay copiará las notas, los adjuntos y las fechas de {file} en la carpeta que se muestra aquí. La exportación no cambiará, y puedes deshacer la importación.</translation>
    </message>
    <message>
        <source>Folder for the notes</source>
        <translation>Carpeta para las notas</translation>
    </message>
    <message>
        <source>&amp;Another folder…</source>
        <translation>&amp;Otra carpeta…</translation>
    </message>
    <message>
        <source>Notes imported so far</source>
        <translation>Notas importadas hasta ahora</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>&amp;Importar</translation>
    </message>
    <message>
        <source>New notes</source>
        <translation>Notas nuevas</translation>
    </message>
    <message>
        <source>Already imported</source>
        <translation>Ya importadas</translation>
    </message>
    <message>
        <source>Attachments</source>
        <translation>Adjuntos</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Etiquetas</translation>
    </message>
    <message>
        <source>Not imported</source>
        <translation>Sin importar</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>y {n} más</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Choose the folder for the notes</source>
        <translation>Elige la carpeta para las notas</translation>
    </message>
</context>
<context>
    <name>NoteImports</name>
    <message>
        <source>Choose exported notes</source>
        <translation>Elige las notas exportadas</translation>
    </message>
    <message>
        <source>Exported notes</source>
        <translation>Notas exportadas</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Todos los archivos</translation>
    </message>
    <message>
        <source>Reading {file}…</source>
        <translation>Leyendo {file}…</translation>
    </message>
    <message>
        <source>The import was stopped. The notes imported so far are in {folder}.</source>
        <translation>Se ha detenido la importación. Las notas importadas hasta ahora están en {folder}.</translation>
    </message>
    <message>
        <source>Scrubjay imported {notes} into {folder}.</source>
        <translation>Scrubjay ha importado {notes} en {folder}.</translation>
    </message>
    <message>
        <source>{n} {n:item was|items were} not imported. {n:Item|First item}: {what}. {reason}</source>
        <translation>{n} {n:elemento no se ha|elementos no se han} importado. {n:Elemento|Primer elemento}: {what}. {reason}</translation>
    </message>
    <message>
        <source>The import was undone, and {n} {n:file was|files were} removed from {folder}.</source>
        <translation>Se ha deshecho la importación y se {n:ha|han} quitado {n} {n:archivo|archivos} de {folder}.</translation>
    </message>
    <message>
        <source>These files were kept because they were changed after the import: {files}.</source>
        <translation>Estos archivos se han conservado porque se cambiaron después de la importación: {files}.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
</context>
<context>
    <name>NotePrinting</name>
    <message>
        <source>Print {note}</source>
        <translation>Imprimir {note}</translation>
    </message>
</context>
<context>
    <name>NoteTrail</name>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>Atrás (Alt+Izquierda)</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>Adelante (Alt+Derecha)</translation>
    </message>
</context>
<context>
    <name>NoteView</name>
    <message>
        <source>This note is empty.</source>
        <translation>Esta nota está vacía.</translation>
    </message>
    <message>
        <source>Show only notes with #{tag}</source>
        <translation>Mostrar solo las notas con #{tag}</translation>
    </message>
    <message>
        <source>[Obsidian Bases table: {name}]</source>
        <translation>[Tabla de Obsidian Bases: {name}]</translation>
    </message>
    <message>
        <source>{n} more {n:row is|rows are} not shown.</source>
        <translation>{n:No se muestra|No se muestran} {n} {n:fila|filas} más.</translation>
    </message>
    <message>
        <source>{n} {n:note|notes} with long properties {n:was|were} not compared with the filters.</source>
        <translation>{n} {n:nota|notas} con propiedades largas no se {n:comparó|compararon} con los filtros.</translation>
    </message>
    <message>
        <source>Formulas not computed: {names}</source>
        <translation>Fórmulas no calculadas: {names}</translation>
    </message>
    <message>
        <source>Views not shown: {names}</source>
        <translation>Vistas no mostradas: {names}</translation>
    </message>
    <message>
        <source>Picture from the internet not loaded: {name}</source>
        <translation>Imagen de internet no cargada: {name}</translation>
    </message>
    <message>
        <source>[Obsidian Bases table]</source>
        <translation>[Tabla de Obsidian Bases]</translation>
    </message>
    <message>
        <source>[This list can be shown only in another program]</source>
        <translation>[Esta lista solo se puede mostrar en otro programa]</translation>
    </message>
    <message>
        <source>[Text from another note]</source>
        <translation>[Texto de otra nota]</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Cambiada</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Carpeta</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Etiquetas</translation>
    </message>
    <message>
        <source>{n} pictures from the internet not loaded</source>
        <translation>{n} imágenes de internet no cargadas</translation>
    </message>
    <message>
        <source>[Web page that is not shown]</source>
        <translation>[Página web que no se muestra]</translation>
    </message>
    <message>
        <source>Web page: {address}</source>
        <translation>Página web: {address}</translation>
    </message>
    <message>
        <source>Video: {address}</source>
        <translation>Vídeo: {address}</translation>
    </message>
    <message>
        <source>Scrubjay found no note named “{name}”.</source>
        <translation>Scrubjay no encontró ninguna nota llamada «{name}».</translation>
    </message>
    <message>
        <source>Mark this task as done</source>
        <translation>Marcar esta tarea como hecha</translation>
    </message>
    <message>
        <source>Mark this task as not done</source>
        <translation>Marcar esta tarea como pendiente</translation>
    </message>
    <message>
        <source>Picture cannot be shown: {name}</source>
        <translation>La imagen no se puede mostrar: {name}</translation>
    </message>
    <message>
        <source>None of the notes that Scrubjay has read match the filters.</source>
        <translation>Ninguna de las notas que Scrubjay ha leído coincide con los filtros.</translation>
    </message>
    <message>
        <source>Picture not found: {name}</source>
        <translation>Imagen no encontrada: {name}</translation>
    </message>
    <message>
        <source>From: {people}</source>
        <translation>De: {people}</translation>
    </message>
    <message>
        <source>To: {people}</source>
        <translation>Para: {people}</translation>
    </message>
    <message>
        <source>Cc: {people}</source>
        <translation>Copia: {people}</translation>
    </message>
</context>
<context>
    <name>Opener</name>
    <message>
        <source>This note is on another computer. You can read and copy it here, but you cannot change it or open it in another program.</source>
        <translation>Esta nota está en otro equipo. Aquí puedes leerla y copiarla, pero no cambiarla ni abrirla en otro programa.</translation>
    </message>
    <message>
        <source>Scrubjay opens only web and email links, so {link} was not opened.</source>
        <translation>Scrubjay solo abre enlaces web y de correo, así que no se ha abierto {link}.</translation>
    </message>
    <message>
        <source>{name} was not found. The file may have been moved or deleted.</source>
        <translation>No se encontró {name}. Puede que el archivo se haya movido o borrado.</translation>
    </message>
    <message>
        <source>A quotation mark is missing from the command {command}. Correct the command in the settings.</source>
        <translation>Faltan unas comillas en la orden {command}. Corrige la orden en los ajustes.</translation>
    </message>
    <message>
        <source>No program on this computer can open {name}. Install a program that can, and then try again.</source>
        <translation>Ningún programa de este equipo puede abrir {name}. Instala uno que pueda e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The file was not opened because {program} would run part of the file name as a command. In the settings, choose the program itself instead of the script that starts it.</source>
        <translation>El archivo no se ha abierto porque {program} ejecutaría una parte del nombre del archivo como una orden. En los ajustes, elige el propio programa en vez del script que lo inicia.</translation>
    </message>
    <message>
        <source>{program} could not be started. Check that the program is installed.</source>
        <translation>No se pudo iniciar {program}. Comprueba que el programa está instalado.</translation>
    </message>
</context>
<context>
    <name>PageBar</name>
    <message>
        <source>Previous page (Alt+PgUp)</source>
        <translation>Página anterior (Alt+RePág)</translation>
    </message>
    <message>
        <source>Next page (Alt+PgDn)</source>
        <translation>Página siguiente (Alt+AvPág)</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>Ajustar al ancho</translation>
    </message>
    <message>
        <source>Show the whole width of the page</source>
        <translation>Mostrar todo el ancho de la página</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Texto</translation>
    </message>
    <message>
        <source>Show the text instead of the page</source>
        <translation>Mostrar el texto en lugar de la página</translation>
    </message>
    <message>
        <source>Page {n} of {count}</source>
        <translation>Página {n} de {count}</translation>
    </message>
</context>
<context>
    <name>PageCanvas</name>
    <message>
        <source>&amp;Copy all text</source>
        <translation>&amp;Copiar todo el texto</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copiar</translation>
    </message>
    <message>
        <source>&amp;Select all</source>
        <translation>&amp;Seleccionar todo</translation>
    </message>
</context>
<context>
    <name>PatternsField</name>
    <message>
        <source>Notes that match any of these patterns are not searched (one pattern per line):</source>
        <translation>No se busca en las notas que coinciden con alguno de estos patrones (un patrón por línea):</translation>
    </message>
    <message>
        <source>Exclusion patterns</source>
        <translation>Patrones de exclusión</translation>
    </message>
    <message>
        <source>For example: drafts/ or *.tmp.md</source>
        <translation>Por ejemplo: borradores/ o *.tmp.md</translation>
    </message>
    <message>
        <source>The patterns exclude {count} of {total}.</source>
        <translation>Los patrones excluyen {count} de {total}.</translation>
    </message>
</context>
<context>
    <name>PdfPages</name>
    <message>
        <source>Show text</source>
        <translation>Mostrar el texto</translation>
    </message>
</context>
<context>
    <name>Permissions</name>
    <message>
        <source>Any program can send this name, so its permissions can be stricter than those for all agents, but not less strict. To allow more, connect the agent on the Agents page, or start it with `scrubjay mcp --as {name}`.</source>
        <translation>Cualquier programa puede enviar este nombre, así que sus permisos pueden ser más estrictos que los de todos los agentes, pero no menos. Para permitir más, conecta el agente en la página Agentes o inícialo con `scrubjay mcp --as {name}`.</translation>
    </message>
    <message>
        <source>Can search</source>
        <translation>Puede buscar</translation>
    </message>
    <message>
        <source>Can change notes</source>
        <translation>Puede cambiar notas</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Sí</translation>
    </message>
    <message>
        <source>After my review</source>
        <translation>Tras mi revisión</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>Preguntarme</translation>
    </message>
    <message>
        <source>No</source>
        <translation>No</translation>
    </message>
    <message>
        <source>{answer} ({folders})</source>
        <translation>{answer} ({folders})</translation>
    </message>
    <message>
        <source>limited to the permissions for all agents</source>
        <translation>limitado a los permisos para todos los agentes</translation>
    </message>
</context>
<context>
    <name>PermissionsPane</name>
    <message>
        <source>Agent</source>
        <translation>Agente</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Todos los agentes</translation>
    </message>
    <message>
        <source>Same as for all notes</source>
        <translation>Igual que para todas las notas</translation>
    </message>
    <message>
        <source>Same as for all agents</source>
        <translation>Como todos los agentes</translation>
    </message>
    <message>
        <source>Notes that the permissions apply to</source>
        <translation>Notas a las que se aplican los permisos</translation>
    </message>
    <message>
        <source>All notes</source>
        <translation>Todas las notas</translation>
    </message>
    <message>
        <source>A permission for one agent or one folder overrides the one for all. If there is one of each, Scrubjay uses the stricter one. With “Ask me”, Scrubjay asks you while the app is open. When the app is closed, Scrubjay tells the agent to ask you.</source>
        <translation>El permiso de un agente o de una carpeta se impone al de todos. Si hay uno de cada, Scrubjay usa el más estricto. Con «Preguntarme», Scrubjay te pregunta mientras la aplicación está abierta. Cuando está cerrada, Scrubjay indica al agente que te pregunte.</translation>
    </message>
    <message>
        <source>Notes in {workspace}</source>
        <translation>Notas de {workspace}</translation>
    </message>
</context>
<context>
    <name>PictureBar</name>
    <message>
        <source>Picture</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>Show the picture instead of the note</source>
        <translation>Mostrar la imagen en lugar de la nota</translation>
    </message>
    <message>
        <source>Whole picture</source>
        <translation>Imagen completa</translation>
    </message>
    <message>
        <source>Show the whole picture</source>
        <translation>Mostrar la imagen completa</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Texto</translation>
    </message>
    <message>
        <source>Show the text instead of the picture</source>
        <translation>Mostrar el texto en lugar de la imagen</translation>
    </message>
    <message>
        <source>{n} {n:line|lines} of text</source>
        <translation>{n} {n:línea|líneas} de texto</translation>
    </message>
</context>
<context>
    <name>PinnedSearches</name>
    <message>
        <source>{notes} with all of these words</source>
        <translation>{notes} con todas estas palabras</translation>
    </message>
    <message>
        <source>Pinned searches</source>
        <translation>Búsquedas fijadas</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>&amp;Renombrar</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>&amp;Subir</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>&amp;Bajar</translation>
    </message>
    <message>
        <source>U&amp;npin</source>
        <translation>&amp;Dejar de fijar</translation>
    </message>
</context>
<context>
    <name>PlaceDialog</name>
    <message>
        <source>&amp;Browse…</source>
        <translation>E&amp;xaminar…</translation>
    </message>
    <message>
        <source>Notes published so far</source>
        <translation>Notas publicadas hasta ahora</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>C&amp;errar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>&amp;Location</source>
        <translation>&amp;Ubicación</translation>
    </message>
    <message>
        <source>&amp;Name that others see</source>
        <translation>&amp;Nombre que ven los demás</translation>
    </message>
    <message>
        <source>Scrubjay will search your own folders and those that others share in this memory. You can read the shared notes, but you cannot change them.</source>
        <translation>Scrubjay buscará en tus carpetas y en las que otras personas comparten en esta memoria. Puedes leer las notas compartidas, pero no cambiarlas.</translation>
    </message>
    <message>
        <source>Scrubjay publishes what it has read in this folder, now and after each change, so that other computers can search the notes. Your notes stay where they are.</source>
        <translation>Scrubjay publica lo que ha leído de esta carpeta, ahora y después de cada cambio, para que otros equipos puedan buscar en las notas. Tus notas se quedan donde están.</translation>
    </message>
    <message>
        <source>For example: {options}</source>
        <translation>Por ejemplo: {options}</translation>
    </message>
    <message>
        <source>Key ID, a colon and the secret</source>
        <translation>Identificador de la clave, dos puntos y el secreto</translation>
    </message>
    <message>
        <source>Ask the person who set up this storage for the options and the key. Scrubjay stores the key in this computer&apos;s keychain as {name}. You can find the key in the settings under “Service keys”. If the keychain already contains the key, leave this field empty.</source>
        <translation>Pide las opciones y la clave a quien configuró este almacenamiento. Scrubjay guarda la clave en el llavero de este equipo como {name}. Puedes encontrarla en los ajustes, en «Claves de servicios». Si el llavero ya contiene la clave, deja este campo vacío.</translation>
    </message>
    <message>
        <source>A folder that others can open, or s3://…</source>
        <translation>Una carpeta a la que otros tengan acceso, o s3://…</translation>
    </message>
    <message>
        <source>Checking the shared memory…</source>
        <translation>Comprobando la memoria compartida…</translation>
    </message>
    <message>
        <source>Publishing continues after you close this window.</source>
        <translation>La publicación continúa aunque cierres esta ventana.</translation>
    </message>
    <message>
        <source>&amp;Storage options</source>
        <translation>&amp;Opciones del almacenamiento</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>C&amp;lave</translation>
    </message>
    <message>
        <source>Add a shared memory</source>
        <translation>Añadir una memoria compartida</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Añadir</translation>
    </message>
    <message>
        <source>Share “{name}”</source>
        <translation>Compartir «{name}»</translation>
    </message>
    <message>
        <source>&amp;Share</source>
        <translation>&amp;Compartir</translation>
    </message>
    <message>
        <source>Choose a folder that others can open</source>
        <translation>Elige una carpeta a la que otros tengan acceso</translation>
    </message>
</context>
<context>
    <name>PopupActions</name>
    <message>
        <source>Show or hide the preview</source>
        <translation>Mostrar u ocultar la vista previa</translation>
    </message>
    <message>
        <source>Switch between the search box and the note</source>
        <translation>Cambiar entre el cuadro de búsqueda y la nota</translation>
    </message>
    <message>
        <source>Show in the main window</source>
        <translation>Mostrar en la ventana principal</translation>
    </message>
    <message>
        <source>Pin or unpin this search</source>
        <translation>Fijar o soltar esta búsqueda</translation>
    </message>
    <message>
        <source>All actions…</source>
        <translation>Todas las acciones…</translation>
    </message>
    <message>
        <source>This search is no longer pinned.</source>
        <translation>Esta búsqueda ya no está fijada.</translation>
    </message>
    <message>
        <source>This search is now pinned in the sidebar of the main window.</source>
        <translation>Esta búsqueda está ahora fijada en la barra lateral de la ventana principal.</translation>
    </message>
</context>
<context>
    <name>PopupAnswer</name>
    <message>
        <source>No notes yet</source>
        <translation>Aún no hay notas</translation>
    </message>
    <message>
        <source>Type to search your notes.</source>
        <translation>Escribe para buscar en tus notas.</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>No task is selected. Press Tab to go to the checkbox of a task.</source>
        <translation>No hay ninguna tarea seleccionada. Pulsa el tabulador para ir a la casilla de una tarea.</translation>
    </message>
    <message>
        <source>Scrubjay can print only text notes. Open the file in another program to print it.</source>
        <translation>Scrubjay solo puede imprimir notas de texto. Abre el archivo en otro programa para imprimirlo.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>No note selected</source>
        <translation>Ninguna nota seleccionada</translation>
    </message>
    <message>
        <source>Select a note on the left to show it here.</source>
        <translation>Elige una nota a la izquierda para verla aquí.</translation>
    </message>
    <message>
        <source>This note is long, so only lines {first} to {last} are shown. Open the note to see all of it.</source>
        <translation>Esta nota es larga, así que solo se muestran las líneas {first} a {last}. Abre la nota para verla entera.</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>Scrubjay has not found a file that it cannot read.</source>
        <translation>Scrubjay no ha encontrado ningún archivo que no pueda leer.</translation>
    </message>
    <message>
        <source>Scrubjay does not search these files:</source>
        <translation>Scrubjay no busca en estos archivos:</translation>
    </message>
    <message>
        <source>Scrubjay could not read or does not search these files:</source>
        <translation>Scrubjay no pudo leer estos archivos o no busca en ellos:</translation>
    </message>
</context>
<context>
    <name>ProgramDialog</name>
    <message>
        <source>Choose a program</source>
        <translation>Elegir un programa</translation>
    </message>
    <message>
        <source>Files whose names end in {kind} will open with this program until you choose another one.</source>
        <translation>Los archivos cuyo nombre termina en {kind} se abrirán con este programa hasta que elijas otro.</translation>
    </message>
    <message>
        <source>Files without an extension will open with this program until you choose another one.</source>
        <translation>Los archivos sin extensión se abrirán con este programa hasta que elijas otro.</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programas</translation>
    </message>
    <message>
        <source>Default program</source>
        <translation>Programa habitual</translation>
    </message>
    <message>
        <source>&amp;Another program…</source>
        <translation>&amp;Otro programa…</translation>
    </message>
</context>
<context>
    <name>ProposalCard</name>
    <message>
        <source>Discard</source>
        <translation>Descartar</translation>
    </message>
</context>
<context>
    <name>QAbstractFileIconProvider</name>
    <message>
        <source>Folder</source>
        <translation>Carpeta</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>%1 File</source>
        <translation>Archivo %1</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>&amp;Buscar en:</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>&amp;Tipo de archivo:</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>&amp;Nombre:</translation>
    </message>
    <message>
        <source>Directory:</source>
        <translation>Carpeta:</translation>
    </message>
    <message>
        <source>Directories</source>
        <translation>Carpetas</translation>
    </message>
    <message>
        <source>&amp;Choose</source>
        <translation>&amp;Elegir</translation>
    </message>
    <message>
        <source>All Files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Go to the parent directory</source>
        <translation>Ir a la carpeta superior</translation>
    </message>
    <message>
        <source>Parent Directory</source>
        <translation>Carpeta superior</translation>
    </message>
    <message>
        <source>Show &amp;hidden files</source>
        <translation>Mostrar los archivos &amp;ocultos</translation>
    </message>
    <message>
        <source>%1 already exists.
Do you want to replace it?</source>
        <translation>Ya existe %1.
¿Quieres sustituirlo?</translation>
    </message>
</context>
<context>
    <name>QMessageBox</name>
    <message>
        <source>Show Details...</source>
        <translation>Mostrar los detalles…</translation>
    </message>
    <message>
        <source>Hide Details...</source>
        <translation>Ocultar los detalles…</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Ctrl</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Mayús</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Intro</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Supr</translation>
    </message>
    <message>
        <source>Ins</source>
        <translation>Insert</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Retroceso</translation>
    </message>
</context>
<context>
    <name>QuickNote</name>
    <message>
        <source>To save a note, first add a folder.</source>
        <translation>Para guardar una nota, añade primero una carpeta.</translation>
    </message>
    <message>
        <source>The text was added to {path}.</source>
        <translation>Se ha añadido el texto a {path}.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>The change to {path} was undone.</source>
        <translation>Se ha deshecho el cambio en {path}.</translation>
    </message>
    <message>
        <source>Scrubjay did not remove the text because that part of {path} has since been edited. If you no longer need the text, delete it yourself.</source>
        <translation>Scrubjay no ha quitado el texto porque esa parte de {path} se ha editado desde entonces. Si ya no necesitas el texto, bórralo tú.</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>Abrir el archivo</translation>
    </message>
</context>
<context>
    <name>QuickNoteBox</name>
    <message>
        <source>Remember this</source>
        <translation>Recordar esto</translation>
    </message>
    <message>
        <source>Your text will be added to the end of today&apos;s file. Nothing else will change.</source>
        <translation>Tu texto se añadirá al final del archivo de hoy. No cambiará nada más.</translation>
    </message>
    <message>
        <source>What should Scrubjay remember?</source>
        <translation>¿Qué debe recordar Scrubjay?</translation>
    </message>
    <message>
        <source>Folder for the new text</source>
        <translation>Carpeta para el texto nuevo</translation>
    </message>
    <message>
        <source>Save &amp;in</source>
        <translation>Guardar &amp;en</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Cerrar este mensaje</translation>
    </message>
    <message>
        <source>&amp;Remember</source>
        <translation>&amp;Recordar</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>Recordar</translation>
    </message>
</context>
<context>
    <name>QuickSearch</name>
    <message>
        <source>Quick search</source>
        <translation>Búsqueda rápida</translation>
    </message>
    <message>
        <source>Search your notes</source>
        <translation>Busca en tus notas</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>{preview}: preview   ·   {actions}: all actions</source>
        <translation>{preview}: vista previa   ·   {actions}: acciones</translation>
    </message>
    <message>
        <source>Show or hide the preview</source>
        <translation>Mostrar u ocultar la vista previa</translation>
    </message>
    <message>
        <source>Search tips</source>
        <translation>Consejos de búsqueda</translation>
    </message>
    <message>
        <source>All actions</source>
        <translation>Todas las acciones</translation>
    </message>
    <message>
        <source>{name}   ·   Tab: next folder</source>
        <translation>{name}   ·   Tab: carpeta siguiente</translation>
    </message>
    <message>
        <source>All notes</source>
        <translation>Todas las notas</translation>
    </message>
</context>
<context>
    <name>QuickSearchPreview</name>
    <message>
        <source>Close this message</source>
        <translation>Cerrar este mensaje</translation>
    </message>
</context>
<context>
    <name>ReadNotesDialog</name>
    <message>
        <source>Notes that Scrubjay reads in “{name}”</source>
        <translation>Notas que Scrubjay lee en «{name}»</translation>
    </message>
    <message>
        <source>All {n} notes in the &amp;folder</source>
        <translation>Las {n} notas de la &amp;carpeta</translation>
    </message>
    <message>
        <source>Only an &amp;agent&apos;s memory (MEMORY.md and memory/): {notes}</source>
        <translation>Solo la memoria de un &amp;agente (MEMORY.md y memory/): {notes}</translation>
    </message>
    <message>
        <source>Notes in folders without a check mark are not searched.</source>
        <translation>No se busca en las notas de las carpetas sin marcar.</translation>
    </message>
    <message>
        <source>This folder has no subfolders to exclude.</source>
        <translation>Esta carpeta no tiene subcarpetas que se puedan excluir.</translation>
    </message>
    <message>
        <source>Also read {notes} in folders whose names &amp;begin with a dot</source>
        <translation>Leer también {notes} en carpetas cuyo nombre &amp;empieza por un punto</translation>
    </message>
    <message>
        <source>&amp;Search this folder only when it is chosen or named in the search</source>
        <translation>&amp;Buscar en esta carpeta solo si se elige o se nombra en la búsqueda</translation>
    </message>
    <message>
        <source>A pattern excludes this folder.</source>
        <translation>Un patrón excluye esta carpeta.</translation>
    </message>
</context>
<context>
    <name>ReadingLine</name>
    <message>
        <source>Search tips</source>
        <translation>Consejos de búsqueda</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>Incluir</translation>
    </message>
</context>
<context>
    <name>RelatedPane</name>
    <message>
        <source>Links to this note: {line}</source>
        <translation>Enlaza con esta nota: {line}</translation>
    </message>
    <message>
        <source>Linked from this note</source>
        <translation>Enlazada desde esta nota</translation>
    </message>
    <message>
        <source>Both mention {words}</source>
        <translation>Ambas mencionan {words}</translation>
    </message>
    <message>
        <source>Similar</source>
        <translation>Parecida</translation>
    </message>
    <message>
        <source>From the same day</source>
        <translation>Del mismo día</translation>
    </message>
    <message>
        <source>Changed on the same day</source>
        <translation>Cambiada el mismo día</translation>
    </message>
    <message>
        <source>{n} notes from the same day</source>
        <translation>{n} notas del mismo día</translation>
    </message>
    <message>
        <source>Hide related notes</source>
        <translation>Ocultar las notas relacionadas</translation>
    </message>
    <message>
        <source>Show related notes</source>
        <translation>Mostrar las notas relacionadas</translation>
    </message>
    <message>
        <source>Related</source>
        <translation>Relacionadas</translation>
    </message>
    <message>
        <source>No related notes found</source>
        <translation>No se encontraron notas relacionadas</translation>
    </message>
</context>
<context>
    <name>Removal</name>
    <message>
        <source>Remove a language helper</source>
        <translation>Quitar un ayudante de idioma</translation>
    </message>
    <message>
        <source>Remove a result reader</source>
        <translation>Quitar un lector de resultados</translation>
    </message>
    <message>
        <source>Your notes will not change. To use the result reader again later, you need to download it again or import its file.</source>
        <translation>Tus notas no cambiarán. Para volver a usar el lector de resultados más tarde, tendrás que descargarlo de nuevo o importar su archivo.</translation>
    </message>
    <message>
        <source>Remove {name} from this computer?</source>
        <translation>¿Quitar {name} de este equipo?</translation>
    </message>
    <message>
        <source>Your notes will not change. To use the language helper again later, you need to download it again or import its file.</source>
        <translation>Tus notas no cambiarán. Para volver a usar el ayudante de idioma más tarde, tendrás que descargarlo de nuevo o importar su archivo.</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Quitar</translation>
    </message>
</context>
<context>
    <name>ResultList</name>
    <message>
        <source>Details</source>
        <translation>Detalles</translation>
    </message>
    <message>
        <source>Possible results (no certain matches)</source>
        <translation>Resultados posibles (ninguno seguro)</translation>
    </message>
    <message>
        <source>More results</source>
        <translation>Más resultados</translation>
    </message>
    <message>
        <source>Other possible results</source>
        <translation>Otros resultados posibles</translation>
    </message>
    <message>
        <source>Show fewer passages</source>
        <translation>Mostrar menos fragmentos</translation>
    </message>
    <message>
        <source>in the picture {name}</source>
        <translation>en la imagen {name}</translation>
    </message>
    <message>
        <source>Line {n}</source>
        <translation>Línea {n}</translation>
    </message>
    <message>
        <source>read again: fits</source>
        <translation>releído: encaja</translation>
    </message>
</context>
<context>
    <name>ResultView</name>
    <message>
        <source>Results</source>
        <translation>Resultados</translation>
    </message>
    <message>
        <source>You can open at most {n} notes at once. Select fewer notes.</source>
        <translation>Puedes abrir como máximo {n} notas a la vez. Elige menos notas.</translation>
    </message>
</context>
<context>
    <name>Sample</name>
    <message>
        <source>Sample notes</source>
        <translation>Notas de ejemplo</translation>
    </message>
    <message>
        <source>The sample notes could not be copied</source>
        <translation>No se pudieron copiar las notas de ejemplo</translation>
    </message>
    <message>
        <source>Make sure that the disk has enough free space, and then try again.</source>
        <translation>Asegúrate de que haya suficiente espacio libre en el disco e inténtalo de nuevo.</translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message>
        <source>Search your notes</source>
        <translation>Busca en tus notas</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>Recently changed notes, newest first</source>
        <translation>Notas recientes, las más nuevas primero</translation>
    </message>
    <message>
        <source>Search &amp;all days</source>
        <translation>Buscar en &amp;todos los días</translation>
    </message>
    <message>
        <source>Search all &amp;folders</source>
        <translation>Buscar en todas las &amp;carpetas</translation>
    </message>
    <message>
        <source>Search tips</source>
        <translation>Consejos de búsqueda</translation>
    </message>
    <message>
        <source>Click to have Scrubjay read the changed notes now.</source>
        <translation>Haz clic para que Scrubjay lea ahora las notas cambiadas.</translation>
    </message>
    <message>
        <source>Click to see which files were not searched, and why.</source>
        <translation>Haz clic para ver en qué archivos no se buscó, y por qué.</translation>
    </message>
    <message>
        <source>{n} possible {n:result|results}</source>
        <translation>{n} {n:resultado posible|resultados posibles}</translation>
    </message>
    <message>
        <source>Notes that match the filters. Type to search them.</source>
        <translation>Notas que cumplen los filtros. Escribe para buscar en ellas.</translation>
    </message>
    <message>
        <source>No notes yet</source>
        <translation>Aún no hay notas</translation>
    </message>
    <message>
        <source>The start date is after the end date</source>
        <translation>La fecha inicial es posterior a la final</translation>
    </message>
    <message>
        <source>The start date is {first}, and the end date is {last}. Change one of them.</source>
        <translation>La fecha inicial es el {first} y la final, el {last}. Cambia una de las dos.</translation>
    </message>
    <message>
        <source>Search is not available right now</source>
        <translation>Ahora no se puede buscar</translation>
    </message>
    <message>
        <source>Only the chosen folder was searched.</source>
        <translation>Solo se buscó en la carpeta elegida.</translation>
    </message>
    <message>
        <source>Unpin this search</source>
        <translation>Dejar de fijar esta búsqueda</translation>
    </message>
    <message>
        <source>Pin this search</source>
        <translation>Fijar esta búsqueda</translation>
    </message>
    <message>
        <source>{n} {n:result|results}</source>
        <translation>{n} {n:resultado|resultados}</translation>
    </message>
    <message>
        <source>Notes will appear here once Scrubjay has read them.</source>
        <translation>Las notas aparecerán aquí cuando Scrubjay las haya leído.</translation>
    </message>
    <message>
        <source>Type to search in “{name}”</source>
        <translation>Escribe para buscar en «{name}»</translation>
    </message>
    <message>
        <source>No notes found for these days</source>
        <translation>No se encontraron notas de estos días</translation>
    </message>
    <message>
        <source>Only notes from these days were searched: {days}.</source>
        <translation>Solo se ha buscado en notas de estos días: {days}.</translation>
    </message>
</context>
<context>
    <name>SearchTips</name>
    <message>
        <source>boiler pressure</source>
        <translation>presión de la caldera</translation>
    </message>
    <message>
        <source>Notes with these words or words with the same meaning</source>
        <translation>Notas con estas palabras o con otras que significan lo mismo</translation>
    </message>
    <message>
        <source>&quot;silver leaf&quot;</source>
        <translation>&quot;hoja plateada&quot;</translation>
    </message>
    <message>
        <source>Only notes that contain this exact phrase</source>
        <translation>Solo notas que contienen esta frase exacta</translation>
    </message>
    <message>
        <source>apple -plum</source>
        <translation>manzana -ciruela</translation>
    </message>
    <message>
        <source>Only notes without the word after the hyphen</source>
        <translation>Solo notas sin la palabra que sigue al guion</translation>
    </message>
    <message>
        <source>apple NOT plum</source>
        <translation>manzana NOT ciruela</translation>
    </message>
    <message>
        <source>The same as with a hyphen</source>
        <translation>Lo mismo que con un guion</translation>
    </message>
    <message>
        <source>apple OR plum</source>
        <translation>manzana OR ciruela</translation>
    </message>
    <message>
        <source>Results for either word</source>
        <translation>Resultados de cualquiera de las dos palabras</translation>
    </message>
    <message>
        <source>(apple OR plum) cake</source>
        <translation>tarta (manzana OR ciruela)</translation>
    </message>
    <message>
        <source>Results for “apple cake” and for “plum cake”</source>
        <translation>Resultados de «tarta manzana» y de «tarta ciruela»</translation>
    </message>
    <message>
        <source>garden*</source>
        <translation>jardín*</translation>
    </message>
    <message>
        <source>Notes with words that begin like this</source>
        <translation>Notas con palabras que empiezan así</translation>
    </message>
    <message>
        <source>#garden</source>
        <translation>#jardín</translation>
    </message>
    <message>
        <source>Only notes with this tag or one of its subtags</source>
        <translation>Solo notas con esta etiqueta o una de sus subetiquetas</translation>
    </message>
    <message>
        <source>folder:Recipes egg</source>
        <translation>folder:Recetas huevo</translation>
    </message>
    <message>
        <source>Only notes in this folder</source>
        <translation>Solo notas de esta carpeta</translation>
    </message>
    <message>
        <source>path:recipes/soup</source>
        <translation>path:recetas/sopa</translation>
    </message>
    <message>
        <source>Only notes whose folders and file name contain this text</source>
        <translation>Solo notas cuyas carpetas y nombre de archivo contienen este texto</translation>
    </message>
    <message>
        <source>Only notes whose file name contains this text</source>
        <translation>Solo las notas cuyo nombre de archivo contiene este texto</translation>
    </message>
    <message>
        <source>title:soup</source>
        <translation>title:sopa</translation>
    </message>
    <message>
        <source>Only notes whose title contains this text</source>
        <translation>Solo notas cuyo título contiene este texto</translation>
    </message>
    <message>
        <source>Only files with this extension (the end of the file name)</source>
        <translation>Solo archivos con esta extensión (el final del nombre)</translation>
    </message>
    <message>
        <source>Only PDFs (the other kinds are note, document, mail and conversation)</source>
        <translation>Solo PDF (los otros tipos son note, document, mail y conversation)</translation>
    </message>
    <message>
        <source>-tag:garden</source>
        <translation>-tag:jardín</translation>
    </message>
    <message>
        <source>Excludes notes with this tag (a hyphen also works before folder:, title: and so on)</source>
        <translation>Excluye las notas con esta etiqueta (el guion también vale delante de folder:, title:, etc.)</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>ayer</translation>
    </message>
    <message>
        <source>Notes from that day (phrases such as “last Tuesday” also work)</source>
        <translation>Notas de ese día (también sirven expresiones como «el martes pasado»)</translation>
    </message>
    <message>
        <source>dentist in November</source>
        <translation>dentista en noviembre</translation>
    </message>
    <message>
        <source>Notes from that period that contain this word</source>
        <translation>Notas de esas fechas que contienen esta palabra</translation>
    </message>
    <message>
        <source>on:yesterday</source>
        <translation>on:ayer</translation>
    </message>
    <message>
        <source>Only notes from that day</source>
        <translation>Solo notas de ese día</translation>
    </message>
    <message>
        <source>Only notes from that period</source>
        <translation>Solo notas de esas fechas</translation>
    </message>
    <message>
        <source>Notes from that day or later</source>
        <translation>Notas de ese día o posteriores</translation>
    </message>
    <message>
        <source>Notes from that day or earlier</source>
        <translation>Notas de ese día o anteriores</translation>
    </message>
</context>
<context>
    <name>SearchTipsDialog</name>
    <message>
        <source>Search tips</source>
        <translation>Consejos de búsqueda</translation>
    </message>
</context>
<context>
    <name>Sending</name>
    <message>
        <source>Send notes to {provider}</source>
        <translation>Enviar notas a {provider}</translation>
    </message>
    <message>
        <source>Send {notes} (about {words} words) to {provider}?</source>
        <translation>¿Enviar {notes} (unas {words} palabras) a {provider}?</translation>
    </message>
    <message>
        <source>To search by meaning, Scrubjay is set to use {model} at {host}. This service needs the text of the notes in “{name}” and may charge you for it. If you choose “Not now”, Scrubjay will continue to search these notes as before.</source>
        <translation>Para buscar por significado, tus ajustes indican a Scrubjay que use {model}, en {host}. Este servicio necesita el texto de las notas de «{name}» y puede cobrarte por ello. Si eliges «Ahora no», Scrubjay seguirá buscando en estas notas como hasta ahora.</translation>
    </message>
    <message>
        <source>&amp;Send notes</source>
        <translation>&amp;Enviar las notas</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>&amp;Ahora no</translation>
    </message>
</context>
<context>
    <name>SettingChanges</name>
    <message>
        <source>Changed: {title}</source>
        <translation>Cambiado: {title}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Reset to default</source>
        <translation>Volver al valor habitual</translation>
    </message>
    <message>
        <source>Reset to default: {title}</source>
        <translation>Volver al valor habitual: {title}</translation>
    </message>
    <message>
        <source>Default: {value}.</source>
        <translation>Valor habitual: {value}.</translation>
    </message>
    <message>
        <source>Default: “{value}”.</source>
        <translation>Valor habitual: «{value}».</translation>
    </message>
    <message>
        <source>If you change this setting, Scrubjay reads your notes again.</source>
        <translation>Si cambias este ajuste, Scrubjay vuelve a leer tus notas.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>The settings file sets different values for individual folders: {folders}.</source>
        <translation>El archivo de ajustes indica otros valores para carpetas concretas: {folders}.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>activado</translation>
    </message>
    <message>
        <source>off</source>
        <translation>desactivado</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nada</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>Buscar un ajuste</translation>
    </message>
    <message>
        <source>Language helpers…</source>
        <translation>Ayudantes de idioma…</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Ventana</translation>
    </message>
    <message>
        <source>For experts</source>
        <translation>Para expertos</translation>
    </message>
    <message>
        <source>Edit the settings file…</source>
        <translation>Editar el archivo de ajustes…</translation>
    </message>
    <message>
        <source>{n} {n:setting|settings}</source>
        <translation>{n} {n:ajuste|ajustes}</translation>
    </message>
    <message>
        <source>No settings found.</source>
        <translation>No se encontraron ajustes.</translation>
    </message>
    <message>
        <source>Import settings from another program…</source>
        <translation>Importar ajustes de otro programa…</translation>
    </message>
    <message>
        <source>Service keys</source>
        <translation>Claves de servicios</translation>
    </message>
</context>
<context>
    <name>SetupImport</name>
    <message>
        <source>No OpenClaw, ClawCode or QMD settings were found on this computer.</source>
        <translation>No se han encontrado ajustes de OpenClaw, ClawCode o QMD en este equipo.</translation>
    </message>
    <message>
        <source>{n} {n:item was|items were} imported.</source>
        <translation>Se {n:ha|han} importado {n} {n:elemento|elementos}.</translation>
    </message>
    <message>
        <source>{what} was not imported: {reason}</source>
        <translation>No se ha importado {what}: {reason}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>The import was undone. The files of the other program were not changed.</source>
        <translation>Se ha deshecho la importación. No se han cambiado los archivos del otro programa.</translation>
    </message>
</context>
<context>
    <name>SetupImportDialog</name>
    <message>
        <source>Import settings from another program</source>
        <translation>Importar ajustes de otro programa</translation>
    </message>
    <message>
        <source>Scrubjay will add the items in this list. The files of the other programs will not change, and you can undo the import.</source>
        <translation>Scrubjay añadirá los elementos de esta lista. Los archivos de los otros programas no cambiarán, y puedes deshacer la importación.</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>Elemento</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Resultado</translation>
    </message>
    <message>
        <source>Also copy the &amp;language helpers from these programs</source>
        <translation>Copiar también los ayudantes de &amp;idioma de estos programas</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>&amp;Importar</translation>
    </message>
    <message>
        <source>Will be added</source>
        <translation>Se añadirá</translation>
    </message>
</context>
<context>
    <name>SharedCard</name>
    <message>
        <source>Check for changes</source>
        <translation>Buscar cambios</translation>
    </message>
    <message>
        <source>Stop searching…</source>
        <translation>Dejar de buscar…</translation>
    </message>
    <message>
        <source>Shared memory: {place}</source>
        <translation>Memoria compartida: {place}</translation>
    </message>
    <message>
        <source>No other folders are shared in this memory yet.</source>
        <translation>Todavía no hay otras carpetas compartidas en esta memoria.</translation>
    </message>
</context>
<context>
    <name>Sharing</name>
    <message>
        <source>Not available</source>
        <translation>No disponible</translation>
    </message>
    <message>
        <source>{count}, shared</source>
        <translation>{count}, compartidas</translation>
    </message>
    <message>
        <source>{n} {n:passage|passages}</source>
        <translation>{n} {n:fragmento|fragmentos}</translation>
    </message>
    <message>
        <source>last published by {computer}: {when}</source>
        <translation>publicada por última vez por {computer}: {when}</translation>
    </message>
    <message>
        <source>Shared at {place} as {name}</source>
        <translation>Compartida en {place} como {name}</translation>
    </message>
    <message>
        <source>Waiting to be published</source>
        <translation>Pendiente de publicar</translation>
    </message>
    <message>
        <source>Not published: {reason}</source>
        <translation>Sin publicar: {reason}</translation>
    </message>
    <message>
        <source>Publishing…</source>
        <translation>Publicando…</translation>
    </message>
    <message>
        <source>Publishing, {n} {n:note|notes} left</source>
        <translation>Publicando, {n:falta|faltan} {n} {n:nota|notas}</translation>
    </message>
    <message>
        <source>Anyone with access to this location can read these notes.</source>
        <translation>Cualquiera que tenga acceso a esta ubicación puede leer estas notas.</translation>
    </message>
    <message>
        <source>Anyone with access to {place} can read these notes.</source>
        <translation>Cualquiera que tenga acceso a {place} puede leer estas notas.</translation>
    </message>
    <message>
        <source>You can delete the published notes at {place} so that others can no longer find them, or keep them as they are now. Your own notes will not change.</source>
        <translation>Puedes borrar las notas publicadas en {place}, para que otros ya no las encuentren, o conservarlas tal como están. Tus propias notas no cambiarán.</translation>
    </message>
    <message>
        <source>Stop sharing a folder</source>
        <translation>Dejar de compartir una carpeta</translation>
    </message>
    <message>
        <source>Stop sharing “{name}”?</source>
        <translation>¿Dejar de compartir «{name}»?</translation>
    </message>
    <message>
        <source>&amp;Delete published notes</source>
        <translation>&amp;Borrar las notas publicadas</translation>
    </message>
    <message>
        <source>&amp;Keep published notes</source>
        <translation>&amp;Conservar las notas publicadas</translation>
    </message>
    <message>
        <source>You will no longer find notes from {names}.</source>
        <translation>Ya no encontrarás notas de {names}.</translation>
    </message>
    <message>
        <source>The shared notes will not be deleted, and you can add the shared memory again later.</source>
        <translation>Las notas compartidas no se borrarán, y puedes volver a añadir la memoria compartida más tarde.</translation>
    </message>
    <message>
        <source>Stop &amp;searching</source>
        <translation>&amp;Dejar de buscar</translation>
    </message>
    <message>
        <source>Stop searching a shared memory</source>
        <translation>Dejar de buscar en una memoria compartida</translation>
    </message>
    <message>
        <source>Stop searching {place}?</source>
        <translation>¿Dejar de buscar en {place}?</translation>
    </message>
</context>
<context>
    <name>SharingActions</name>
    <message>
        <source>Publishing {name}…</source>
        <translation>Publicando {name}…</translation>
    </message>
    <message>
        <source>The latest version of {name} was published.</source>
        <translation>Se ha publicado la última versión de {name}.</translation>
    </message>
    <message>
        <source>Scrubjay already searches all the shared folders at {place}.</source>
        <translation>Scrubjay ya busca en todas las carpetas compartidas de {place}.</translation>
    </message>
    <message>
        <source>Scrubjay will also search {folders} from now on.</source>
        <translation>Desde ahora Scrubjay buscará también en {folders}.</translation>
    </message>
    <message>
        <source>{name} is no longer shared.</source>
        <translation>{name} ya no se comparte.</translation>
    </message>
    <message>
        <source>The published notes were not deleted because another computer also publishes this folder.</source>
        <translation>Las notas publicadas no se han borrado porque otro equipo también publica esta carpeta.</translation>
    </message>
    <message>
        <source>{name} can be searched ({notes}).</source>
        <translation>Se puede buscar en {name} ({notes}).</translation>
    </message>
    <message>
        <source>Scrubjay no longer searches {place}.</source>
        <translation>Scrubjay ya no busca en {place}.</translation>
    </message>
    <message>
        <source>The published notes at {place} could not be deleted: {reason}</source>
        <translation>No se pudieron borrar las notas publicadas en {place}: {reason}</translation>
    </message>
    <message>
        <source>The folder {name} is now shared at {place}. Other people can search it after they add this shared memory in Scrubjay.</source>
        <translation>La carpeta {name} se comparte ahora en {place}. Otras personas pueden buscar en ella cuando añadan esta memoria compartida en Scrubjay.</translation>
    </message>
    <message>
        <source>{name} is no longer published.</source>
        <translation>{name} ya no se publica.</translation>
    </message>
</context>
<context>
    <name>SkippedFilesDialog</name>
    <message>
        <source>Files that are not searched</source>
        <translation>Archivos en los que no se busca</translation>
    </message>
    <message>
        <source>Check &amp;again</source>
        <translation>Comprobar &amp;otra vez</translation>
    </message>
    <message>
        <source>The file stays in this list but does not count as a problem until it changes.</source>
        <translation>El archivo sigue en esta lista, pero no cuenta como problema hasta que cambie.</translation>
    </message>
    <message>
        <source>Stop &amp;skipping</source>
        <translation>Dejar de o&amp;mitir</translation>
    </message>
    <message>
        <source>Count this file as a problem again.</source>
        <translation>Volver a contar este archivo como problema.</translation>
    </message>
    <message>
        <source>&amp;Skip until changed</source>
        <translation>O&amp;mitir hasta que cambie</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <source>Add a folder of notes to begin</source>
        <translation>Añade una carpeta de notas para empezar</translation>
    </message>
    <message>
        <source>Paused while the computer is on battery power</source>
        <translation>En pausa mientras el equipo funciona con batería</translation>
    </message>
    <message>
        <source>Paused until you resume reading</source>
        <translation>En pausa hasta que reanudes la lectura</translation>
    </message>
    <message>
        <source>Scrubjay: {sentence}</source>
        <translation>Scrubjay: {sentence}</translation>
    </message>
    <message>
        <source>{n} shared {n:note|notes} can be searched</source>
        <translation>Se puede buscar en {n} {n:nota compartida|notas compartidas}</translation>
    </message>
    <message>
        <source>{count}, {n} {n:folder|folders} not read yet</source>
        <translation>{count}, {n} {n:carpeta|carpetas} sin leer aún</translation>
    </message>
    <message>
        <source>{n} {n:note is|notes are} up to date, some passages searchable by words only</source>
        <translation>{n} {n:nota|notas} al día, algunos fragmentos con búsqueda solo por palabras</translation>
    </message>
    <message>
        <source>{n} {n:note is|notes are} up to date but searchable by words only</source>
        <translation>{n} {n:nota|notas} al día, búsqueda solo por palabras</translation>
    </message>
    <message>
        <source>{n} {n:note is|notes are} up to date</source>
        <translation>{n} {n:nota|notas} al día</translation>
    </message>
    <message>
        <source>looking for changes</source>
        <translation>buscando cambios</translation>
    </message>
    <message>
        <source>{sentence} ({n} {n:note|notes} more)</source>
        <translation>{sentence} ({n} {n:nota|notas} más)</translation>
    </message>
    <message>
        <source>{sentence} ({n} {n:note|notes} removed)</source>
        <translation>{sentence} ({n} {n:nota|notas} menos)</translation>
    </message>
    <message>
        <source>{count}, folder not found</source>
        <translation>{count}, falta la carpeta</translation>
    </message>
    <message>
        <source>{count}, attention needed</source>
        <translation>{count}, requiere atención</translation>
    </message>
    <message>
        <source>{count}, paused</source>
        <translation>{count}, en pausa</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>Aún sin leer</translation>
    </message>
    <message>
        <source>{count}, {n} could not be read</source>
        <translation>{count}, {n} {n:no se pudo leer|no se pudieron leer}</translation>
    </message>
    <message>
        <source>{count}, up to date</source>
        <translation>{count}, al día</translation>
    </message>
    <message>
        <source>Nothing relevant found</source>
        <translation>No se encontró nada relevante</translation>
    </message>
    <message>
        <source>Scrubjay found no headings with a date in this period.</source>
        <translation>Scrubjay no encontró títulos con una fecha de este periodo.</translation>
    </message>
    <message>
        <source>{n} {n:note has|notes have} not been read yet. Search again later for more results.</source>
        <translation>{n} {n:nota|notas} sin leer todavía. Vuelve a buscar más tarde para ver más resultados.</translation>
    </message>
    <message>
        <source>Some notes are not fully ready for search yet. Search again later for more results.</source>
        <translation>Algunas notas aún no están del todo preparadas para la búsqueda. Vuelve a buscar más tarde para encontrar más.</translation>
    </message>
    <message>
        <source>Try other words, or ask a question.</source>
        <translation>Prueba con otras palabras, o haz una pregunta.</translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation>«{word}»</translation>
    </message>
    <message>
        <source>Excluded: {words}.</source>
        <translation>Sin {words}.</translation>
    </message>
    <message>
        <source>Searched as words, not as operators: {names}.</source>
        <translation>Buscado como palabras, no como operadores: {names}.</translation>
    </message>
    <message>
        <source>Only the first {count} OR alternatives were searched.</source>
        <translation>Solo se han buscado las primeras {count} alternativas con OR.</translation>
    </message>
    <message>
        <source>No note matches {names}.</source>
        <translation>Ninguna nota coincide con {names}.</translation>
    </message>
    <message>
        <source>Did you mean {name}?</source>
        <translation>¿Querías decir {name}?</translation>
    </message>
    <message>
        <source>{folders} are still being read</source>
        <translation>Todavía se están leyendo {folders}</translation>
    </message>
    <message>
        <source>{folder} is still being read</source>
        <translation>Todavía se está leyendo {folder}</translation>
    </message>
    <message>
        <source>Still searching…</source>
        <translation>Todavía se busca…</translation>
    </message>
    <message>
        <source>the changed notes could not be read</source>
        <translation>no se pudieron leer las notas que han cambiado</translation>
    </message>
    <message>
        <source>updating the search index, {share}</source>
        <translation>actualizando el índice de búsqueda, {share}</translation>
    </message>
    <message>
        <source>reading notes, {n} left</source>
        <translation>leyendo notas, {n:queda|quedan} {n}</translation>
    </message>
    <message>
        <source>preparing notes for search by meaning, {share}</source>
        <translation>preparando notas para la búsqueda por significado, {share}</translation>
    </message>
    <message>
        <source>making search by meaning more exact</source>
        <translation>afinando la búsqueda por significado</translation>
    </message>
    <message>
        <source>reading pictures, {done} of {total}</source>
        <translation>leyendo imágenes, {done} de {total}</translation>
    </message>
    <message>
        <source>Search is turned off in the settings</source>
        <translation>La búsqueda está desactivada en los ajustes</translation>
    </message>
    <message>
        <source>{count}, waiting for other folders</source>
        <translation>{count}, a la espera de otras carpetas</translation>
    </message>
    <message>
        <source>Preparing search by meaning, {share}</source>
        <translation>Preparando la búsqueda por significado, {share}</translation>
    </message>
    <message>
        <source>Reading, {n} left</source>
        <translation>Leyendo, {n:queda|quedan} {n}</translation>
    </message>
    <message>
        <source>Reading pictures, {done} of {total}</source>
        <translation>Leyendo imágenes, {done} de {total}</translation>
    </message>
    <message>
        <source>{count}, {pending} not read yet</source>
        <translation>{count}, {pending} aún sin leer</translation>
    </message>
    <message>
        <source>No notes apart from excluded ones</source>
        <translation>No hay más notas que las excluidas</translation>
    </message>
    <message>
        <source>{line} · {share} ready for search by meaning</source>
        <translation>{line} · {share} preparado para la búsqueda por significado</translation>
    </message>
    <message>
        <source>{count} · all ready for search by meaning</source>
        <translation>{count} · todo preparado para la búsqueda por significado</translation>
    </message>
    <message>
        <source>{n} {n:picture|pictures} not read yet</source>
        <translation>{n} {n:imagen|imágenes} aún sin leer</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} de {total}</translation>
    </message>
    <message>
        <source>{n} {n:note|notes} could not be read.</source>
        <translation>{n} {n:nota no se pudo|notas no se pudieron} leer.</translation>
    </message>
    <message>
        <source>{n} changed {n:note has|notes have} not been read yet.</source>
        <translation>{n} {n:nota cambiada aún no se ha leído|notas cambiadas aún no se han leído}.</translation>
    </message>
    <message>
        <source>Last checked for changes {age}.</source>
        <translation>Última comprobación de cambios: {age}.</translation>
    </message>
    <message>
        <source>Used {used} instead of {wanted} ({reason}).</source>
        <translation>Se ha usado {used} en lugar de {wanted} ({reason}).</translation>
    </message>
    <message>
        <source>No clear match was found. These are the closest notes.</source>
        <translation>No se encontró ningún resultado seguro. Estas son las notas más cercanas.</translation>
    </message>
    <message>
        <source>{folder} is still being read.</source>
        <translation>{folder} se está leyendo todavía.</translation>
    </message>
    <message>
        <source>No notes from {days}</source>
        <translation>No hay notas de estas fechas: {days}</translation>
    </message>
    <message>
        <source>Searched only when chosen or named: {folders}.</source>
        <translation>Solo se busca al elegir o nombrar la carpeta: {folders}.</translation>
    </message>
    <message>
        <source>Searched {total} with QMD.</source>
        <translation>Se ha buscado en {total} con QMD.</translation>
    </message>
    <message>
        <source>Searched {total}.</source>
        <translation>Se ha buscado en {total}.</translation>
    </message>
    <message>
        <source>Searched {total} by words only.</source>
        <translation>Se ha buscado en {total} solo por palabras.</translation>
    </message>
    <message>
        <source>Searched {total} by words, and some of them by meaning.</source>
        <translation>Se ha buscado en {total} por palabras, y en algunas por significado.</translation>
    </message>
    <message>
        <source>Searched {total} by words and by meaning.</source>
        <translation>Se ha buscado en {total} por palabras y por significado.</translation>
    </message>
    <message>
        <source>Searched with QMD.</source>
        <translation>Se ha buscado con QMD.</translation>
    </message>
    <message>
        <source>Searched by words only.</source>
        <translation>Se ha buscado solo por palabras.</translation>
    </message>
    <message>
        <source>Some notes cannot be found by meaning yet.</source>
        <translation>Algunas notas aún no se encuentran por significado.</translation>
    </message>
    <message>
        <source>Looking for changes</source>
        <translation>Buscando cambios</translation>
    </message>
    <message>
        <source>No notes found</source>
        <translation>No se encontraron notas</translation>
    </message>
    <message>
        <source>Paused until {time}</source>
        <translation>En pausa hasta las {time}</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Until I &amp;resume reading</source>
        <translation>Hasta que &amp;reanude la lectura</translation>
    </message>
    <message>
        <source>Resume reading</source>
        <translation>Reanudar la lectura</translation>
    </message>
    <message>
        <source>Pause reading</source>
        <translation>Pausar la lectura</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>Pa&amp;usar</translation>
    </message>
    <message>
        <source>For one &amp;hour</source>
        <translation>Durante una &amp;hora</translation>
    </message>
</context>
<context>
    <name>SuggestedQuestionsBox</name>
    <message>
        <source>Try:</source>
        <translation>Prueba:</translation>
    </message>
    <message>
        <source>Hide the suggested questions</source>
        <translation>Ocultar las preguntas de ejemplo</translation>
    </message>
    <message>
        <source>Search for {text}</source>
        <translation>Buscar {text}</translation>
    </message>
    <message>
        <source>Press {keys} to search from any other program.</source>
        <translation>Pulsa {keys} para buscar desde cualquier otro programa.</translation>
    </message>
</context>
<context>
    <name>TagCompleter</name>
    <message>
        <source>Tags</source>
        <translation>Etiquetas</translation>
    </message>
</context>
<context>
    <name>Terms</name>
    <message>
        <source>Terms of use</source>
        <translation>Condiciones de uso</translation>
    </message>
    <message>
        <source>To use this language helper, you must accept the {terms}.</source>
        <translation>Para usar este ayudante de idioma, debes aceptar estas condiciones: {terms}.</translation>
    </message>
    <message>
        <source>{model} has its own terms of use.</source>
        <translation>{model} tiene sus propias condiciones.</translation>
    </message>
    <message>
        <source>To use this result reader, you must accept the {terms}.</source>
        <translation>Para usar este lector de resultados, debes aceptar estas condiciones: {terms}.</translation>
    </message>
    <message>
        <source>&amp;Accept the terms</source>
        <translation>&amp;Aceptar las condiciones</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>the top-level folder</source>
        <translation>la carpeta principal</translation>
    </message>
    <message>
        <source>{notes} moved to {folder}</source>
        <translation>{notes}: ahora en {folder}</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Añadida</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Cambiada</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Quitada</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Movida</translation>
    </message>
</context>
<context>
    <name>TimelinePage</name>
    <message>
        <source>Timeline</source>
        <translation>Cronología</translation>
    </message>
    <message>
        <source>Folder to show</source>
        <translation>Carpeta que se muestra</translation>
    </message>
    <message>
        <source>Previous year</source>
        <translation>Año anterior</translation>
    </message>
    <message>
        <source>Next year</source>
        <translation>Año siguiente</translation>
    </message>
    <message>
        <source>All notes</source>
        <translation>Todas las notas</translation>
    </message>
    <message>
        <source>No notes found in this period.</source>
        <translation>No se encontraron notas en este periodo.</translation>
    </message>
    <message>
        <source>{amount} in this period, on {n} {n:day|days}</source>
        <translation>{amount} en este periodo, en {n} {n:día|días}</translation>
    </message>
</context>
<context>
    <name>TimelinePanes</name>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Intentar de nuevo</translation>
    </message>
    <message>
        <source>Show what changed</source>
        <translation>Mostrar qué ha cambiado</translation>
    </message>
    <message>
        <source>Looking for notes…</source>
        <translation>Buscando notas…</translation>
    </message>
    <message>
        <source>Changed since</source>
        <translation>Cambios desde</translation>
    </message>
    <message>
        <source>Show the notes from these days</source>
        <translation>Mostrar las notas de estos días</translation>
    </message>
    <message>
        <source>Show changes since</source>
        <translation>Mostrar los cambios desde</translation>
    </message>
    <message>
        <source>today</source>
        <translation>hoy</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>ayer</translation>
    </message>
    <message>
        <source>a week ago</source>
        <translation>hace una semana</translation>
    </message>
    <message>
        <source>two weeks ago</source>
        <translation>hace dos semanas</translation>
    </message>
    <message>
        <source>&amp;Search these days</source>
        <translation>&amp;Buscar en estos días</translation>
    </message>
    <message>
        <source>Scrubjay found no notes from {days}.</source>
        <translation>Scrubjay no encontró notas de este periodo: {days}.</translation>
    </message>
    <message>
        <source>Changes to notes will appear here once Scrubjay notices them.</source>
        <translation>Los cambios en las notas aparecerán aquí cuando Scrubjay los detecte.</translation>
    </message>
    <message>
        <source>No changes</source>
        <translation>Sin cambios</translation>
    </message>
    <message>
        <source>Changes are not recorded</source>
        <translation>Los cambios no se registran</translation>
    </message>
    <message>
        <source>To record changes, set “Days to keep earlier versions of notes” in the settings to at least 1.</source>
        <translation>Para registrar los cambios, pon al menos 1 en «Días que se conservan las versiones anteriores de las notas» en los ajustes.</translation>
    </message>
    <message>
        <source>Scrubjay is looking through your notes.</source>
        <translation>Scrubjay está mirando tus notas.</translation>
    </message>
    <message>
        <source>No notes</source>
        <translation>Sin notas</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>&amp;Open Scrubjay</source>
        <translation>&amp;Abrir Scrubjay</translation>
    </message>
    <message>
        <source>&amp;Quick search</source>
        <translation>Búsqueda rá&amp;pida</translation>
    </message>
    <message>
        <source>Re&amp;member this…</source>
        <translation>Recor&amp;dar esto…</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Reanudar</translation>
    </message>
    <message>
        <source>Re&amp;cent</source>
        <translation>Re&amp;cientes</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>A&amp;justes</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>A&amp;yuda</translation>
    </message>
    <message>
        <source>Qui&amp;t</source>
        <translation>&amp;Salir</translation>
    </message>
</context>
<context>
    <name>UninstallDialog</name>
    <message>
        <source>Uninstall Scrubjay</source>
        <translation>Desinstalar Scrubjay</translation>
    </message>
    <message>
        <source>Scrubjay will remove the selected parts from this computer and then quit. You cannot undo this. The program itself is removed separately, as described below.</source>
        <translation>Scrubjay quitará de este equipo las partes marcadas y después se cerrará. No se puede deshacer. El programa se quita por separado, como se explica abajo.</translation>
    </message>
    <message>
        <source>&amp;Remove and quit</source>
        <translation>&amp;Quitar y salir</translation>
    </message>
    <message>
        <source>Some parts could not be removed. To continue without them, clear their check boxes.</source>
        <translation>No se han podido quitar algunas partes. Desmárcalas para seguir sin ellas.</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>y {n} más</translation>
    </message>
</context>
<context>
    <name>Uninstalling</name>
    <message>
        <source>No files were deleted</source>
        <translation>No se borró ningún archivo</translation>
    </message>
    <message>
        <source>Scrubjay did not finish its work in time, so its files may still be in use. Start Scrubjay and try to uninstall it again, or run `scrubjay uninstall`.</source>
        <translation>Scrubjay no terminó su trabajo a tiempo, así que sus archivos pueden seguir en uso. Inicia Scrubjay e intenta desinstalarlo de nuevo, o ejecuta `scrubjay uninstall`.</translation>
    </message>
    <message>
        <source>Some files could not be deleted</source>
        <translation>No se han podido borrar algunos archivos</translation>
    </message>
</context>
<context>
    <name>Why</name>
    <message>
        <source>Found by words</source>
        <translation>Encontrado por palabras</translation>
    </message>
    <message>
        <source>Found by meaning</source>
        <translation>Encontrado por significado</translation>
    </message>
    <message>
        <source>Found by words and by meaning</source>
        <translation>Encontrado por palabras y por significado</translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation>«{word}»</translation>
    </message>
    <message>
        <source>This result is from a day that you searched for.</source>
        <translation>Este resultado es de un día que has buscado.</translation>
    </message>
    <message>
        <source>This result contains {words}.</source>
        <translation>Este resultado contiene {words}.</translation>
    </message>
    <message>
        <source>The title or the folder of this result contains {words}.</source>
        <translation>El título o la carpeta de este resultado contiene {words}.</translation>
    </message>
    <message>
        <source>In this result, {passage} is similar to {words}.</source>
        <translation>En este resultado, {passage} se parece a {words}.</translation>
    </message>
    <message>
        <source>Words found</source>
        <translation>Palabras encontradas</translation>
    </message>
    <message>
        <source>Words not found</source>
        <translation>Palabras no encontradas</translation>
    </message>
    <message>
        <source>Ranking based on</source>
        <translation>Orden según</translation>
    </message>
    <message>
        <source>It does not fit the question better than the other results do</source>
        <translation>No encaja con la pregunta mejor que los demás resultados</translation>
    </message>
    <message>
        <source>It fits the question better than it seemed to at first</source>
        <translation>Encaja con la pregunta mejor de lo que parecía al principio</translation>
    </message>
    <message>
        <source>It fits the question as well as it seemed to at first</source>
        <translation>Encaja con la pregunta tan bien como parecía al principio</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Releído</translation>
    </message>
    <message>
        <source>Because the note is older, this result counts only {share} as much as one from a new note</source>
        <translation>Como la nota es más antigua, este resultado cuenta solo un {share} de lo que contaría el de una nota nueva</translation>
    </message>
    <message>
        <source>This result is lower in the list because a better result says nearly the same thing</source>
        <translation>Este resultado está más abajo en la lista porque otro mejor dice casi lo mismo</translation>
    </message>
    <message>
        <source>Similar result</source>
        <translation>Resultado parecido</translation>
    </message>
    <message>
        <source>in the text</source>
        <translation>en el texto</translation>
    </message>
    <message>
        <source>in a heading</source>
        <translation>en un encabezado</translation>
    </message>
    <message>
        <source>in the file name</source>
        <translation>en el nombre del archivo</translation>
    </message>
    <message>
        <source>in the title</source>
        <translation>en el título</translation>
    </message>
    <message>
        <source>in the date</source>
        <translation>en la fecha</translation>
    </message>
    <message>
        <source>the surrounding lines</source>
        <translation>las líneas de alrededor</translation>
    </message>
    <message>
        <source>words</source>
        <translation>palabras</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>significado</translation>
    </message>
    <message>
        <source>the date</source>
        <translation>la fecha</translation>
    </message>
    <message>
        <source>the file name</source>
        <translation>el nombre del archivo</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>Antigüedad</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>&amp;Add a folder…</source>
        <translation>&amp;Añadir una carpeta…</translation>
    </message>
    <message>
        <source>&amp;Quick search</source>
        <translation>Búsqueda &amp;rápida</translation>
    </message>
    <message>
        <source>&amp;Remember this…</source>
        <translation>Recor&amp;dar esto…</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Buscar</translation>
    </message>
    <message>
        <source>P&amp;in or unpin this search</source>
        <translation>&amp;Fijar o soltar esta búsqueda</translation>
    </message>
    <message>
        <source>&amp;Find in this note</source>
        <translation>&amp;Buscar en esta nota</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>Texto más &amp;grande</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>Texto más pe&amp;queño</translation>
    </message>
    <message>
        <source>&amp;Default text size</source>
        <translation>Tamaño &amp;habitual del texto</translation>
    </message>
    <message>
        <source>&amp;Next match</source>
        <translation>&amp;Siguiente coincidencia</translation>
    </message>
    <message>
        <source>Pre&amp;vious match</source>
        <translation>Coincidencia an&amp;terior</translation>
    </message>
    <message>
        <source>&amp;Pause or resume reading</source>
        <translation>Pausar o r&amp;eanudar la lectura</translation>
    </message>
    <message>
        <source>Add a shared &amp;memory…</source>
        <translation>Añadir una memoria &amp;compartida…</translation>
    </message>
    <message>
        <source>All actions…</source>
        <translation>Todas las acciones…</translation>
    </message>
    <message>
        <source>About Scrubjay</source>
        <translation>Acerca de Scrubjay</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Archivo</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Edición</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Ventana</translation>
    </message>
    <message>
        <source>&amp;Minimize</source>
        <translation>&amp;Minimizar</translation>
    </message>
    <message>
        <source>&amp;Zoom</source>
        <translation>&amp;Zoom</translation>
    </message>
    <message>
        <source>&amp;Check for changes</source>
        <translation>Buscar &amp;cambios</translation>
    </message>
    <message>
        <source>Import n&amp;otes…</source>
        <translation>Importar n&amp;otas…</translation>
    </message>
    <message>
        <source>&amp;Import settings…</source>
        <translation>Importar ajustes de &amp;otro programa…</translation>
    </message>
    <message>
        <source>Lang&amp;uage helpers…</source>
        <translation>Ayudantes de idio&amp;ma…</translation>
    </message>
    <message>
        <source>For AI a&amp;gents</source>
        <translation>Para a&amp;gentes de IA</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>A&amp;justes</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>A&amp;yuda</translation>
    </message>
    <message>
        <source>Uninstall Scrub&amp;jay…</source>
        <translation>Desi&amp;nstalar Scrubjay…</translation>
    </message>
    <message>
        <source>&amp;Close the window</source>
        <translation>Cerrar la &amp;ventana</translation>
    </message>
    <message>
        <source>Qui&amp;t Scrubjay</source>
        <translation>Sa&amp;lir de Scrubjay</translation>
    </message>
    <message>
        <source>Search without exclusions</source>
        <translation>Buscar sin exclusiones</translation>
    </message>
    <message>
        <source>Search tips</source>
        <translation>Consejos de búsqueda</translation>
    </message>
</context>
<context>
    <name>WindowSettings</name>
    <message>
        <source>&amp;Appearance</source>
        <translation>&amp;Aspecto</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Idioma</translation>
    </message>
    <message>
        <source>When the window is &amp;closed</source>
        <translation>Al &amp;cerrar la ventana</translation>
    </message>
    <message>
        <source>&amp;Remember my searches</source>
        <translation>&amp;Recordar mis búsquedas</translation>
    </message>
    <message>
        <source>Open notes &amp;with</source>
        <translation>Abrir las notas c&amp;on</translation>
    </message>
    <message>
        <source>Shortcut for quick &amp;search</source>
        <translation>Atajo de &amp;búsqueda rápida</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aspecto</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>When the window is closed</source>
        <translation>Al cerrar la ventana</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>Preguntarme</translation>
    </message>
    <message>
        <source>If you turn this off, all past searches are deleted.</source>
        <translation>Si lo desactivas, se borran todas las búsquedas anteriores.</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Ventana</translation>
    </message>
    <message>
        <source>Use system setting</source>
        <translation>Usar el ajuste del sistema</translation>
    </message>
    <message>
        <source>The change takes effect the next time Scrubjay starts.</source>
        <translation>El cambio se aplica la próxima vez que se inicie Scrubjay.</translation>
    </message>
    <message>
        <source>Keep running in the background</source>
        <translation>Seguir en segundo plano</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Open notes with</source>
        <translation>Abrir las notas con</translation>
    </message>
    <message>
        <source>You can type a command, such as code -g {file}:{line}</source>
        <translation>Puedes escribir una orden, como code -g {file}:{line}</translation>
    </message>
    <message>
        <source>Default program</source>
        <translation>Programa habitual</translation>
    </message>
    <message>
        <source>Obsidian for its vaults, otherwise the default program</source>
        <translation>Obsidian para sus bóvedas; si no, el programa habitual</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Copiar la orden</translation>
    </message>
    <message>
        <source>Shortcut for quick search</source>
        <translation>Atajo de búsqueda rápida</translation>
    </message>
    <message>
        <source>Start &amp;in the background when I log in</source>
        <translation>Arrancar en &amp;segundo plano al iniciar sesión</translation>
    </message>
    <message>
        <source>&amp;Pause reading notes on battery power</source>
        <translation>&amp;Pausar la lectura de notas al usar la batería</translation>
    </message>
    <message>
        <source>&amp;Notify me when something needs my attention</source>
        <translation>&amp;Avisarme cuando algo requiera mi atención</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>Conversation from {date}</source>
        <translation>Conversación del {date}</translation>
    </message>
    <message>
        <source>Page {n}</source>
        <translation>Página {n}</translation>
    </message>
    <message>
        <source>Slide {n}</source>
        <translation>Diapositiva {n}</translation>
    </message>
    <message>
        <source>Sheet {n}</source>
        <translation>Hoja {n}</translation>
    </message>
    <message>
        <source>Chapter {n}</source>
        <translation>Capítulo {n}</translation>
    </message>
    <message>
        <source>Message {n}</source>
        <translation>Mensaje {n}</translation>
    </message>
    <message>
        <source>{n} {n:note|notes}</source>
        <translation>{n} {n:nota|notas}</translation>
    </message>
    <message>
        <source>{n} {n:conflict copy|conflict copies}</source>
        <translation>{n} {n:copia en conflicto|copias en conflicto}</translation>
    </message>
    <message>
        <source>{notes} and {n} {n:image or recording|images or recordings}</source>
        <translation>{notes} y {n} {n:imagen o grabación|imágenes o grabaciones}</translation>
    </message>
    <message>
        <source>{n} M</source>
        <translation>{n} M</translation>
    </message>
    <message>
        <source>the language helper on this computer</source>
        <translation>el ayudante de idioma de este equipo</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>ahora mismo</translation>
    </message>
    <message>
        <source>{n} s ago</source>
        <translation>hace {n} s</translation>
    </message>
    <message>
        <source>{n} min ago</source>
        <translation>hace {n} min</translation>
    </message>
    <message>
        <source>{n} h ago</source>
        <translation>hace {n} h</translation>
    </message>
    <message>
        <source>{n} days ago</source>
        <translation>hace {n} días</translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation>quedan unos segundos</translation>
    </message>
    <message>
        <source>about a minute left</source>
        <translation>queda cerca de un minuto</translation>
    </message>
    <message>
        <source>about {n} minutes left</source>
        <translation>quedan unos {n} minutos</translation>
    </message>
    <message>
        <source>about {n} hours left</source>
        <translation>quedan unas {n} horas</translation>
    </message>
    <message>
        <source>less than a minute</source>
        <translation>menos de un minuto</translation>
    </message>
    <message>
        <source>about {n} min</source>
        <translation>unos {n} min</translation>
    </message>
    <message>
        <source>about {n} hours</source>
        <translation>unas {n} horas</translation>
    </message>
    <message>
        <source>Today {time}</source>
        <translation>Hoy {time}</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Ayer</translation>
    </message>
    <message>
        <source>changed {when}</source>
        <translation>modificada {when}</translation>
    </message>
    <message>
        <source>today</source>
        <translation>hoy</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>ayer</translation>
    </message>
    <message>
        <source>on {date}</source>
        <translation>el {date}</translation>
    </message>
    <message>
        <source>{n} more {n:passage|passages}</source>
        <translation>{n} {n:fragmento|fragmentos} más</translation>
    </message>
    <message>
        <source>{n}%</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>dddd d MMMM yyyy</source>
        <translation>dddd, d &apos;de&apos; MMMM &apos;de&apos; yyyy</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} y {last}</translation>
    </message>
</context>
<context>
    <name>WorkspaceCard</name>
    <message>
        <source>Reading progress</source>
        <translation>Progreso de la lectura</translation>
    </message>
    <message>
        <source>Locate the folder…</source>
        <translation>Localizar la carpeta…</translation>
    </message>
    <message>
        <source>Check for changes</source>
        <translation>Buscar cambios</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Más</translation>
    </message>
    <message>
        <source>More actions for {name}</source>
        <translation>Más acciones para {name}</translation>
    </message>
    <message>
        <source>Searched only when it is chosen or named in the search</source>
        <translation>Solo se busca en ella si se elige o se nombra en la búsqueda</translation>
    </message>
</context>
<context>
    <name>Workspaces</name>
    <message>
        <source>All notes</source>
        <translation>Todas las notas</translation>
    </message>
    <message>
        <source>&amp;Check for changes</source>
        <translation>&amp;Buscar cambios</translation>
    </message>
    <message>
        <source>Files &amp;not searched…</source>
        <translation>Archivos en los que &amp;no se busca…</translation>
    </message>
    <message>
        <source>Read &amp;everything again</source>
        <translation>Volver a leer &amp;todo</translation>
    </message>
    <message>
        <source>&amp;Show in file manager</source>
        <translation>&amp;Mostrar en la carpeta</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>&amp;Cambiar el nombre…</translation>
    </message>
    <message>
        <source>Share this fol&amp;der…</source>
        <translation>Com&amp;partir esta carpeta…</translation>
    </message>
    <message>
        <source>&amp;Publish now</source>
        <translation>P&amp;ublicar ahora</translation>
    </message>
    <message>
        <source>St&amp;op sharing…</source>
        <translation>De&amp;jar de compartir…</translation>
    </message>
    <message>
        <source>&amp;Forget…</source>
        <translation>&amp;Olvidar…</translation>
    </message>
    <message>
        <source>Forget a folder</source>
        <translation>Olvidar una carpeta</translation>
    </message>
    <message>
        <source>Forget “{name}”?</source>
        <translation>¿Olvidar «{name}»?</translation>
    </message>
    <message>
        <source>&amp;Locate the folder…</source>
        <translation>&amp;Localizar la carpeta…</translation>
    </message>
    <message>
        <source>Choose which notes Scrubjay &amp;reads…</source>
        <translation>E&amp;legir las notas que se leen…</translation>
    </message>
    <message>
        <source>Descr&amp;ibe for agents…</source>
        <translation>Descr&amp;ibir para los agentes…</translation>
    </message>
    <message>
        <source>Stop &amp;searching…</source>
        <translation>&amp;Dejar de buscar…</translation>
    </message>
    <message>
        <source>Scrubjay will delete its search index for this folder. Your notes in {folder} will not change.</source>
        <translation>Scrubjay borrará su índice de búsqueda de esta carpeta. Tus notas de {folder} no cambiarán.</translation>
    </message>
    <message>
        <source>&amp;Forget</source>
        <translation>&amp;Olvidar</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Conservar</translation>
    </message>
    <message>
        <source>Has “{name}” moved to {folder}?</source>
        <translation>¿Se ha movido «{name}» a {folder}?</translation>
    </message>
    <message>
        <source>The new folder contains {known} of the {total} notes from the previous folder.</source>
        <translation>La carpeta nueva contiene {known} de las {total} notas de la carpeta anterior.</translation>
    </message>
    <message>
        <source>If the new folder contains different notes, add it as a separate folder.</source>
        <translation>Si la carpeta nueva tiene otras notas, añádela como carpeta aparte.</translation>
    </message>
    <message>
        <source>Locate the folder…</source>
        <translation>Localizar la carpeta…</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Sí</translation>
    </message>
    <message>
        <source>&amp;Another folder…</source>
        <translation>&amp;Otra carpeta…</translation>
    </message>
    <message>
        <source>{n} {n:PDF|PDFs}</source>
        <translation>{n} {n:PDF|PDF}</translation>
    </message>
    <message>
        <source>{n} Word {n:file|files}</source>
        <translation>{n} {n:archivo|archivos} de Word</translation>
    </message>
    <message>
        <source>{n} {n:presentation|presentations}</source>
        <translation>{n} {n:presentación|presentaciones}</translation>
    </message>
    <message>
        <source>{n} {n:spreadsheet|spreadsheets}</source>
        <translation>{n} {n:hoja|hojas} de cálculo</translation>
    </message>
    <message>
        <source>{n} {n:book|books}</source>
        <translation>{n} {n:libro|libros}</translation>
    </message>
    <message>
        <source>{n} other {n:document|documents}</source>
        <translation>{n} {n:documento más|documentos más}</translation>
    </message>
    <message>
        <source>Also read &amp;documents, such as PDF and Word files</source>
        <translation>Leer también &amp;documentos, como archivos PDF y Word</translation>
    </message>
    <message>
        <source>Also read {documents}</source>
        <translation>Leer también {documents}</translation>
    </message>
    <message>
        <source>{n} {n:document|documents}</source>
        <translation>{n} {n:documento|documentos}</translation>
    </message>
    <message>
        <source>An agent&apos;s memory: MEMORY.md and memory/</source>
        <translation>La memoria de un agente: MEMORY.md y memory/</translation>
    </message>
    <message>
        <source>Notes in this folder</source>
        <translation>Notas de esta carpeta</translation>
    </message>
    <message>
        <source>Notes, documents and pictures in this folder</source>
        <translation>Notas, documentos e imágenes de esta carpeta</translation>
    </message>
    <message>
        <source>Notes and documents in this folder</source>
        <translation>Notas y documentos de esta carpeta</translation>
    </message>
    <message>
        <source>Notes and pictures in this folder</source>
        <translation>Notas e imágenes de esta carpeta</translation>
    </message>
    <message>
        <source>hidden folders</source>
        <translation>las carpetas ocultas</translation>
    </message>
    <message>
        <source>{notes}, except in {folders}</source>
        <translation>{notes}, menos las de {folders}</translation>
    </message>
    <message>
        <source>Exclusion patterns: {patterns}</source>
        <translation>Patrones de exclusión: {patterns}</translation>
    </message>
    <message>
        <source>{share} of the text ready for search by meaning</source>
        <translation>{share} del texto preparado para la búsqueda por significado</translation>
    </message>
    <message>
        <source>search index: {size}</source>
        <translation>índice de búsqueda: {size}</translation>
    </message>
    <message>
        <source>Also read text in &amp;pictures (counting…)</source>
        <translation>Leer también el texto de las &amp;imágenes (contando…)</translation>
    </message>
    <message>
        <source>{n} {n:picture|pictures}</source>
        <translation>{n} {n:imagen|imágenes}</translation>
    </message>
    <message>
        <source>{n} scanned {n:PDF|PDFs}</source>
        <translation>{n} PDF {n:escaneado|escaneados}</translation>
    </message>
    <message>
        <source>Also read text in &amp;pictures (already read)</source>
        <translation>Leer también el texto de las &amp;imágenes (ya leído)</translation>
    </message>
    <message>
        <source>Also read text in &amp;pictures (0 in this folder)</source>
        <translation>Leer también el texto de las &amp;imágenes (0 en esta carpeta)</translation>
    </message>
    <message>
        <source>Also read {pictures} in the background</source>
        <translation>Leer también {pictures} en segundo plano</translation>
    </message>
    <message>
        <source>Also read {pictures} in the background ({time})</source>
        <translation>Leer también {pictures} en segundo plano ({time})</translation>
    </message>
    <message>
        <source>Also read text in &amp;pictures</source>
        <translation>Leer también el texto de las &amp;imágenes</translation>
    </message>
</context>
<context>
    <name>WorkspacesPage</name>
    <message>
        <source>Add a shared memory…</source>
        <translation>Añadir una memoria compartida…</translation>
    </message>
    <message>
        <source>Import notes…</source>
        <translation>Importar notas…</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Carpetas</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Añadir una carpeta…</translation>
    </message>
</context>
<context>
    <name>WorkspacesSidebar</name>
    <message>
        <source>{n} {n:file|files} could not be read</source>
        <translation>{n} {n:archivo no se pudo|archivos no se pudieron} leer</translation>
    </message>
    <message>
        <source>Choose a folder of notes</source>
        <translation>Elige una carpeta de notas</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>Añadir una carpeta</translation>
    </message>
    <message>
        <source>Folders of notes</source>
        <translation>Carpetas de notas</translation>
    </message>
</context>
</TS>
