<?xml version="1.0" encoding="UTF-8"?>
<!-- A board of three by three squares, row by row, with templates that call themselves. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:param name="width" select="300"/>
  <xsl:param name="height" select="300"/>
  <xsl:variable name="side" select="3"/>

  <xsl:template name="main" match="/">
    <div>
      <style type="text/css">
        td.place { width: <xsl:value-of select="$width div $side"/>px; border: 1px solid #444; }
      </style>
      <table class="board">
        <xsl:call-template name="rows">
          <xsl:with-param name="row" select="1"/>
        </xsl:call-template>
      </table>
      <xsl:for-each select="state/fact[relation='control']">
        <p>To move: <xsl:value-of select="argument[1]"/></p>
      </xsl:for-each>
      <p>
        <xsl:variable name="most">
          <xsl:for-each select="//fact[relation='cell']/argument[1]">
            <xsl:sort data-type="number" order="descending"/>
            <xsl:if test="position() = 1"><xsl:value-of select="."/></xsl:if>
          </xsl:for-each>
        </xsl:variable>
        <xsl:text>Most: </xsl:text>
        <xsl:value-of select="$most"/>
      </p>
    </div>
  </xsl:template>

  <xsl:template name="rows">
    <xsl:param name="row" select="99"/>
    <tr>
      <xsl:call-template name="places">
        <xsl:with-param name="row" select="$row"/>
      </xsl:call-template>
    </tr>
    <xsl:if test="$row &lt; $side">
      <xsl:call-template name="rows">
        <xsl:with-param name="row" select="$row + 1"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <xsl:template name="places">
    <xsl:param name="row"/>
    <xsl:param name="column" select="1"/>
    <td class="place">
      <xsl:attribute name="id">cell_<xsl:value-of select="concat($column, $row)"/></xsl:attribute>
      <xsl:choose>
        <xsl:when test="//fact[relation='cell' and argument[1]=$column and argument[2]=$row and argument[3]='x']">
          <img src="&ROOT;/resources/images/x.png" class="piece"/>
        </xsl:when>
        <xsl:otherwise>
          <xsl:value-of select="translate(//fact[relation='cell' and argument[1]=$column and argument[2]=$row]/argument[3], 'xo', 'XO')"/>
        </xsl:otherwise>
      </xsl:choose>
    </td>
    <xsl:if test="$column &lt; $side">
      <xsl:call-template name="places">
        <xsl:with-param name="row" select="$row"/>
        <xsl:with-param name="column" select="$column + 1"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
